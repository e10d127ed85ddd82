#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_apgos() {
  return {
      .code = "OPT-APGOS",
      .summary = "overlap_param_gather_with_optimizer_step excludes mxfp8 buffer reuse and splits the offload",
      .raises = {{Place::kOptimizerConfig,
                  428,
                  "ValueError",
                  "overlap_param_gather_with_optimizer_step is not supported with reuse_grad_buf_for_mxfp8_param_ag.",
                  {},
                  Core::k0_19}},
      .what =
          "overlap_param_gather_with_optimizer_step is on. Together with reuse_grad_buf_for_mxfp8_param_ag it is refused since core 0.19. "
          "With optimizer offload the dense parameters of the first model chunk get an optimizer instance of their own.",
      .why =
          "Upstream refuses the pair when the optimizer configuration is built. The extra instance applies the offload fraction to its own "
          "total.",
      .remedy = "Switch one of the two off; with offload, expect one more whole tensor to move.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "if self.overlap_param_gather_with_optimizer_step and self.reuse_grad_buf_for_mxfp8_param_ag: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.overlap_param_gather_with_optimizer_step")) return;
            if (facts.core() >= Core::k0_19 && facts.on("optimizer.reuse_grad_buf_for_mxfp8_param_ag")) {
              report.add("overlap_param_gather_with_optimizer_step and reuse_grad_buf_for_mxfp8_param_ag exclude each other")
                  .keys({"optimizer.overlap_param_gather_with_optimizer_step", "optimizer.reuse_grad_buf_for_mxfp8_param_ag"})
                  .fix(Fix::Safety::kDisplayOnly, "switch the overlap with the optimizer step off",
                       {set("optimizer.overlap_param_gather_with_optimizer_step", false)})
                  .fix(Fix::Safety::kDisplayOnly, "do not reuse gradient buffers",
                       {set("optimizer.reuse_grad_buf_for_mxfp8_param_ag", false)});
            }
            if (offloads_part(facts))
              report
                  .add(
                      "overlap_param_gather_with_optimizer_step gives the first model chunk an optimizer of its own; the offload fraction "
                      "applies to it separately")
                  .severity(Severity::kInfo)
                  .keys({"optimizer.overlap_param_gather_with_optimizer_step", "optimizer.optimizer_offload_fraction"});
          },
  };
}

}  // namespace spillway::validate::rules
