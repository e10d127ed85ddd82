#include "tools/validate/checkpoints.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_class_refs() {
  return {
      .code = "CKPT-CLASS-REFS",
      .summary = "checkpoints in the torch format hold classes of the offloaded optimizer",
      .severity = Severity::kWarning,
      .stage = Stage::kLoad,
      .what = "optimizer_cpu_offload with checkpoints in the legacy torch format.",
      .why =
          "The parameter groups hold the classes of the CPU and GPU optimizers. torch 2.6 and later refuses them unless they are "
          "allow-listed or the file is trusted. Reported upstream; the data itself is intact.",
      .remedy = "Use torch_dist, or allow-list the named classes (torch.serialization.add_safe_globals) before the load.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "super().__init__(params, defaults={'cpu_optimizer_cls': ..., 'gpu_optimizer_cls': ...})"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !facts.is("checkpoint.ckpt_format", "torch")) return;
            if (facts.off("checkpoint.save") && !loads_optimizer(facts)) return;
            report
                .add(
                    "checkpoints with ckpt_format=torch hold references to the offloaded optimizer's classes, which a weights-only load "
                    "refuses")
                .keys({"checkpoint.ckpt_format", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "save in the distributed format", {set("checkpoint.ckpt_format", "torch_dist")});
          },
  };
}

}  // namespace spillway::validate::rules
