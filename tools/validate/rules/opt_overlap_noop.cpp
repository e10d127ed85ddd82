#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_overlap_noop() {
  return {
      .code = "OPT-OVERLAP-NOOP",
      .summary = "there is nothing to overlap when the optimizer offload moves nothing",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .what = "overlap_cpu_optimizer_d2h_h2d is on while optimizer_cpu_offload is off or its fraction is 0 or below.",
      .why = "No transfer happens in the step, so the switch has no effect except for unused streams.",
      .remedy = "Switch the offload on with a fraction above 0, or leave the overlap out.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "overlap_cpu_optimizer_d2h_h2d is read for offloaded parameters only"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.overlap_cpu_optimizer_d2h_h2d")) return;
            const bool offload = facts.on("optimizer.optimizer_cpu_offload");
            if (offload && offloaded_share(facts).value_or(1) > 0) return;
            report
                .add(std::string("overlap_cpu_optimizer_d2h_h2d is on but there is nothing to overlap: ") +
                     (offload ? "optimizer_offload_fraction is " + fraction_text(facts) : "optimizer_cpu_offload is off"))
                .keys(
                    {"optimizer.overlap_cpu_optimizer_d2h_h2d", "optimizer.optimizer_cpu_offload", "optimizer.optimizer_offload_fraction"})
                .fix(Fix::Safety::kDisplayOnly, "leave the overlap out", {remove("optimizer.overlap_cpu_optimizer_d2h_h2d")});
          },
  };
}

}  // namespace spillway::validate::rules
