#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_stub() {
  return {
      .code = "OPT-STUB",
      .summary = "ranks that train nothing have no optimizer to offload",
      .severity = Severity::kInfo,
      .stage = Stage::kBuild,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .what =
          "optimizer_cpu_offload is on and parameters are frozen: all of them (--freeze-all-layers), or Megatron-Bridge's language model "
          "with several pipeline stages.",
      .why =
          "A rank without a trainable parameter gets no optimizer: nothing is offloaded there, and none of the checks of the hybrid "
          "optimizer run, so that an error in its settings shows on some ranks only.",
      .remedy = "Nothing to do, unless the parameters were not meant to be frozen.",
      .evidence = {"megatron/core/optimizer/__init__.py", "optimizer = None when there are no param_groups"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            const bool all = facts.megatron_lm() && facts.on("args.freeze_all_layers");
            const bool some =
                facts.bridge() && facts.on("model.freeze_language_model") && facts.integer("model.pipeline_model_parallel_size", 1) > 1;
            if (!all && !some) return;
            report
                .add(all ? "every layer is frozen, so there is no optimizer state to offload"
                         : "pipeline stages whose layers are all frozen have no optimizer; nothing is offloaded there")
                .keys({"optimizer.optimizer_cpu_offload", all ? "args.freeze_all_layers" : "model.freeze_language_model"});
          },
  };
}

}  // namespace spillway::validate::rules
