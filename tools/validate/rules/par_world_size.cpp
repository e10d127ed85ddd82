#include <cstdint>
#include <string>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule par_world_size() {
  return {
      .code = "PAR-WORLD-SIZE",
      .summary = "the number of GPUs is a multiple of the model-parallel size",
      .launchers = {Launcher::kBridge, Launcher::kMegatronLm},
      .raises = {{Place::kBridge,
                  100,
                  "AssertionError",
                  "\n        world size ({}) is not divisible by total_model_size (model_cfg.tensor_model_parallel_size={} * "
                  "model_cfg.pipeline_model_parallel_size={} * model_cfg.context_parallel_size={})\n        ",
                  {Launcher::kBridge}},
                 {Place::kValidateArgs,
                  432,
                  "AssertionError",
                  "world size ({}) is not divisible by total_model_size (total_model_size={})",
                  {Launcher::kMegatronLm}}},
      .what = "The number of GPUs is not divisible by the product of tensor-, pipeline- and context-parallel size.",
      .why = "There is no whole number of data-parallel ranks: the run stops.",
      .remedy = "Use another number of GPUs, or other parallel sizes.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "total_model_size = tensor * pipeline * context parallel size; assert world_size % total_model_size == 0"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto world = facts.world_size();
            if (!world) return;
            const auto size = [&](std::string_view name) { return facts.integer("model." + std::string(name) + "_parallel_size", 1); };
            const auto tensor = size("tensor_model"), pipeline = size("pipeline_model"), context = size("context");
            const auto total = tensor * pipeline * context;
            if (total <= 0 || *world % total == 0) return;
            const auto text = [](std::int64_t number) { return std::to_string(number); };
            auto draft = report.add(text(*world) + " GPUs cannot be divided into model-parallel groups of " + text(total) + " (tensor " +
                                    text(tensor) + ", pipeline " + text(pipeline) + ", context " + text(context) + ")");
            draft.keys({"model.tensor_model_parallel_size", "model.pipeline_model_parallel_size", "model.context_parallel_size"})
                .fix(Fix::Safety::kDisplayOnly, "use a multiple of " + text(total) + " GPUs, or smaller parallel sizes");
            if (facts.bridge())
              draft.raise(0, {text(*world), text(tensor), text(pipeline), text(context)});
            else
              draft.raise(1, {text(*world), text(total)});
          },
  };
}

}  // namespace spillway::validate::rules
