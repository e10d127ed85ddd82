#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_pin_grads() {
  return {
      .code = "OPT-PIN-GRADS",
      .summary = "pageable gradient buffers make the transfers of the offload synchronous",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .what = "Optimizer offload moves something and pin_cpu_grads is off.",
      .why = "Copies into pageable memory block, so the transfers are slower and the overlap, where it is asked for, does not happen.",
      .remedy = "Leave pin_cpu_grads on unless pinned memory is what runs out.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "torch.empty(..., pin_memory=self.pin_cpu_grads) for the gradient buffers"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts) || facts.on("optimizer.pin_cpu_grads")) return;
            const bool overlap = facts.on("optimizer.overlap_cpu_optimizer_d2h_h2d");
            report
                .add(std::string("pin_cpu_grads is off: gradients are copied to pageable memory, synchronously") +
                     (overlap ? ", which defeats overlap_cpu_optimizer_d2h_h2d" : ""))
                .severity(overlap ? Severity::kWarning : Severity::kInfo)
                .keys({"optimizer.pin_cpu_grads", "optimizer.overlap_cpu_optimizer_d2h_h2d"})
                .fix(Fix::Safety::kUnsafe, "pin the gradient buffers", {set("optimizer.pin_cpu_grads", true)});
          },
  };
}

}  // namespace spillway::validate::rules
