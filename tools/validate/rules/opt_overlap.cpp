#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_overlap() {
  return {
      .code = "OPT-OVERLAP",
      .summary = "what overlap_cpu_optimizer_d2h_h2d does for the optimizer step",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .what =
          "optimizer_cpu_offload is on and moves something. With the overlap on, each offloaded tensor has an optimizer object of its own, "
          "and its gradient and update travel on streams of their own while the others are being computed. With the overlap off (the "
          "default) one optimizer object waits for all gradients before the host starts.",
      .why =
          "The step on the host is serial over the tensors either way, and usually longer than the transfers: the overlap hides the "
          "transfers only.",
      .remedy = "Switch it on, unless gradients are bf16 and only a part is offloaded.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "overlap_cpu_optimizer_d2h_h2d: one CPU optimizer per parameter, events per parameter"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts)) return;
            const bool overlap = facts.on("optimizer.overlap_cpu_optimizer_d2h_h2d");
            auto draft =
                report.add(overlap ? "overlap_cpu_optimizer_d2h_h2d is on: transfers of one tensor overlap the host's work on another; the "
                                     "host's work itself stays serial"
                                   : "overlap_cpu_optimizer_d2h_h2d is off: the host waits for all gradients before its step starts");
            draft.keys({"optimizer.overlap_cpu_optimizer_d2h_h2d"});
            if (!overlap)
              draft.fix(Fix::Safety::kUnsafe, "overlap transfers with the host's step",
                        {set("optimizer.overlap_cpu_optimizer_d2h_h2d", true)});
          },
  };
}

}  // namespace spillway::validate::rules
