#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_overlap_race() {
  return {
      .code = "OPT-OVERLAP-RACE",
      .summary = "overlap with bf16 main gradients and a partial fraction may read gradients too early",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .what =
          "overlap_cpu_optimizer_d2h_h2d is on, the fraction is between 0 and 1, and the main gradients are bf16 (precision-aware "
          "optimizer with main_grads_dtype bf16).",
      .why =
          "The gradients of the part that stays on the GPU are converted to fp32 on the transfer stream, and the optimizer step on the "
          "main stream does not wait for it. By reading the code; not reproduced.",
      .remedy = "Use fp32 main gradients, or offload everything, or switch the overlap off.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "the fp32 conversion of gradients that stay on the GPU runs under the d2h stream; the GPU optimizer steps on the "
                   "current stream"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.overlap_cpu_optimizer_d2h_h2d") || !offloads_part(facts)) return;
            if (facts.off("optimizer.use_precision_aware_optimizer") || facts.dtype("optimizer.main_grads_dtype") == "float32") return;
            report
                .add("with the overlap on, fraction " + fraction_text(facts) + " and " + facts.dtype("optimizer.main_grads_dtype") +
                     " main gradients, the GPU step may read gradients before they are converted")
                .keys({"optimizer.overlap_cpu_optimizer_d2h_h2d", "optimizer.main_grads_dtype", "optimizer.optimizer_offload_fraction"})
                .fix(Fix::Safety::kDisplayOnly, "switch the overlap off", {remove("optimizer.overlap_cpu_optimizer_d2h_h2d")})
                .fix(Fix::Safety::kDisplayOnly, "use fp32 main gradients", {remove("optimizer.main_grads_dtype")})
                .fix(Fix::Safety::kDisplayOnly, "offload everything", {set("optimizer.optimizer_offload_fraction", 1.0)});
          },
  };
}

}  // namespace spillway::validate::rules
