#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_host_mem() {
  return {
      .code = "OPT-HOST-MEM",
      .summary = "each offloaded parameter takes 16 bytes of host memory per rank",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .what = "Optimizer offload moves something.",
      .why =
          "The host holds the fp32 master (4 bytes), the gradient (4) and both moments (8) of every offloaded parameter, for every rank of "
          "the node. The master and the gradient are page-locked by default, and page-locked blocks are rounded up to powers of two.",
      .remedy = "Compare with the memory of the node; `estimate` gives the sum.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py", "CPU copies of parameters, gradients and optimizer state"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts)) return;
            const bool pinned_master = facts.off("optimizer.use_precision_aware_optimizer") ||
                                       (facts.core() >= Core::kMain && facts.on("optimizer.pin_cpu_params"));
            const int pinned = (pinned_master ? 4 : 0) + (facts.on("optimizer.pin_cpu_grads") ? 4 : 0);
            report
                .add("each offloaded parameter takes 16 bytes of host memory per rank, " + std::to_string(pinned) +
                     " of them page-locked (blocks are rounded up to powers of two)")
                .keys({"optimizer.optimizer_cpu_offload", "optimizer.optimizer_offload_fraction", "optimizer.pin_cpu_grads"});
          },
  };
}

}  // namespace spillway::validate::rules
