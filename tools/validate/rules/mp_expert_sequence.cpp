#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_expert_sequence() {
  return {
      .code = "MP-EXPERT-SEQUENCE",
      .summary = "Megatron-Core 0.15 stops on expert and tensor parallelism without sequence parallelism",
      .until = Core::k0_15,
      .raises = {{Place::kModelParallelConfig, 520, "NameError", "name 'warnings' is not defined"}},
      .what = "expert_model_parallel_size and tensor_model_parallel_size are above 1 and sequence_parallel is off, in Megatron-Core 0.15.",
      .why =
          "The version means to warn about the combination but lacks the import for it, and stops with a NameError. Later versions warn.",
      .remedy = "Switch sequence_parallel on, or use Megatron-Core 0.16 or later.",
      .evidence = {"megatron/core/model_parallel_config.py",
                   "if self.expert_model_parallel_size > 1 and self.tensor_model_parallel_size > 1: if self.sequence_parallel is False: "
                   "warnings.warn(…)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.integer("model.expert_model_parallel_size", 1) <= 1 || facts.integer("model.tensor_model_parallel_size", 1) <= 1)
              return;
            if (facts.on("model.sequence_parallel")) return;
            report.add("expert and tensor parallelism without sequence_parallel run into a missing import of Megatron-Core 0.15")
                .keys({"model.sequence_parallel", "model.expert_model_parallel_size", "model.tensor_model_parallel_size"})
                .stops()
                .fix(Fix::Safety::kUnsafe, "switch sequence parallelism on", {set("model.sequence_parallel", true)});
          },
  };
}

}  // namespace spillway::validate::rules
