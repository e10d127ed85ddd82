#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_parallel_ok() {
  return {
      .code = "ACT-PARALLEL-OK",
      .summary = "layer-level offload has no restriction from expert parallelism or fp8",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .what =
          "cpu_offloading is on together with expert parallelism or fp8. Tensor, sequence, context, expert and data parallelism, mixtures "
          "of experts and fp8 are all accepted; only the pipeline is not.",
      .why =
          "With fp8 a saved tensor is split into its parts, and each part counts for itself against Transformer Engine's minimum of 262144 "
          "elements: small parts stay on the GPU.",
      .remedy = "Nothing to do.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "the checks of cpu_offloading look at layers, pipeline, recompute, graphs and other offloads"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const bool fp8 = facts.on("model.fp8");
            if (!fp8 && facts.integer("model.expert_model_parallel_size", 1) <= 1) return;
            report
                .add(fp8 ? "cpu_offloading runs with fp8; each part of a quantized tensor is judged by itself, and those below 262144 "
                           "elements stay on the GPU"
                         : "cpu_offloading runs with expert parallelism: no check stands against it")
                .keys({"model.cpu_offloading", fp8 ? "model.fp8" : "model.expert_model_parallel_size"});
          },
  };
}

}  // namespace spillway::validate::rules
