#include "tools/validate/layout.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_world_size() {
  return {
      .code = "MP-WORLD-SIZE",
      .summary = "the processes of the run do not fill whole replicas of the model",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kValidateArgs, 432, "AssertionError",
                  "world size ({}) is not divisible by total_model_size (total_model_size={})"}},
      .what = "The world size is known and is no multiple of tensor x pipeline x context parallel size.",
      .why = "Megatron-LM refuses to start: the ranks left over could not hold a replica.",
      .remedy = "Start a multiple of that many processes, or lower one of the sizes.",
      .evidence = {"megatron/training/arguments.py", "assert args.world_size % total_model_size == 0"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto world = facts.world_size();
            if (!world) return;
            const auto ranks = model_parallel_ranks(facts);
            if (*world % ranks == 0) return;
            report
                .add(std::to_string(*world) + " processes do not divide into replicas of " + std::to_string(ranks) +
                     " (tensor x pipeline x context parallel size)")
                .keys({"model.tensor_model_parallel_size", "model.pipeline_model_parallel_size", "model.context_parallel_size"})
                .with({std::to_string(*world), std::to_string(ranks)});
          },
  };
}

}  // namespace spillway::validate::rules
