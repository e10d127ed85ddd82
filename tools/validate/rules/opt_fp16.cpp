#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fp16() {
  return {
      .code = "OPT-FP16",
      .summary = "fp16 training takes the same offload path as bf16",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .what = "Optimizer offload is on and training is in fp16.",
      .why =
          "Loss scaling and the search for infinities act on the gradients on the GPU before the step; the offloaded part works on 16-bit "
          "shards or fp32 copies exactly as in bf16.",
      .remedy = "Nothing to do.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py", "fp16 and bf16 parameters share the float16 groups"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("optimizer.fp16")) return;
            report.add("fp16 training is offloaded as bf16 is; loss scaling stays on the GPU")
                .keys({"optimizer.fp16", "optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
