#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_sequence_parallel() {
  return {
      .code = "MP-SEQUENCE-PARALLEL",
      .summary = "sequence parallelism needs tensor parallelism",
      .launchers = {Launcher::kMegatronCore},
      .raises = {{Place::kModelParallelConfig, 504, "ValueError", "Cannot use sequence parallelism without tensor parallelism"}},
      .what =
          "sequence_parallel is on while tensor_model_parallel_size is 1, in code that builds Megatron-Core's configuration itself. "
          "Megatron-LM and Megatron-Bridge switch it off instead.",
      .why = "Sequence parallelism splits what tensor parallelism leaves whole, over the same ranks; Megatron-Core refuses it alone.",
      .remedy = "Switch sequence_parallel off, or use more than one tensor-parallel rank.",
      .evidence = {"megatron/core/model_parallel_config.py", "if self.sequence_parallel: if self.tensor_model_parallel_size <= 1:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.sequence_parallel") || facts.integer("model.tensor_model_parallel_size", 1) > 1) return;
            report.add("sequence_parallel is on, but tensor_model_parallel_size is 1")
                .keys({"model.sequence_parallel", "model.tensor_model_parallel_size"})
                .fix(Fix::Safety::kSafe, "switch sequence_parallel off", {set("model.sequence_parallel", false)});
          },
  };
}

}  // namespace spillway::validate::rules
