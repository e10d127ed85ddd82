#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_clip() {
  return {
      .code = "OPT-CLIP",
      .summary = "gradient clipping and zero counting work on the GPU before the offloaded step",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .what = "Optimizer offload is on and gradients are clipped at another norm than the default 1.0, or zeros in gradients are counted.",
      .why = "Both act on the gradients on the GPU, before the step: the offload neither restricts them nor makes them slower.",
      .remedy = "Nothing to do.",
      .evidence = {"megatron/core/optimizer/optimizer.py", "step: unscale, clip_grad_norm and count_zeros before step_with_ready_grads"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            const double norm = facts.number("optimizer.clip_grad").value_or(1.0);
            const bool clips = norm > 0 && norm != 1.0, counts = facts.on("optimizer.log_num_zeros_in_grad");
            if (!clips && !counts) return;
            report
                .add(std::string(clips ? "clip_grad " + facts.value("optimizer.clip_grad").str() : "log_num_zeros_in_grad") +
                     " works on the GPU before the offloaded step; optimizer offload does not affect it")
                .keys({clips ? "optimizer.clip_grad" : "optimizer.log_num_zeros_in_grad"});
          },
  };
}

}  // namespace spillway::validate::rules
