#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_torch_flag() {
  return {
      .code = "OPT-TORCH-FLAG",
      .summary = "use_torch_optimizer_for_cpu_offload has no effect",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what = "use_torch_optimizer_for_cpu_offload is on.",
      .why =
          "The classes it chooses are assigned again right after, so the part on the host is always a torch optimizer and the part on the "
          "GPU always the fused one, whatever the switch says.",
      .remedy = "Leave it out.",
      .evidence = {"megatron/core/optimizer/__init__.py",
                   "if config.use_torch_optimizer_for_cpu_offload: gpu_optimizer_cls = cpu_optimizer_cls, then both branches assign "
                   "gpu_optimizer_cls again"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.use_torch_optimizer_for_cpu_offload")) return;
            report
                .add(
                    "use_torch_optimizer_for_cpu_offload has no effect: the offloaded part always uses torch's optimizer, the part on the "
                    "GPU never does")
                .keys({"optimizer.use_torch_optimizer_for_cpu_offload"})
                .fix(Fix::Safety::kSafe, "leave use_torch_optimizer_for_cpu_offload out",
                     {remove("optimizer.use_torch_optimizer_for_cpu_offload")});
          },
  };
}

}  // namespace spillway::validate::rules
