#include "tools/validate/edits.hpp"
#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_retain_noop() {
  return {
      .code = "ACT-RETAIN-NOOP",
      .summary = "retaining pinned host buffers has no effect here",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what =
          "cpu_offloading_retain_pinned_cpu_buffers is on, but cpu_offloading is off, or Transformer Engine runs its older offload path "
          "(before 2.10, or NVTE_CPU_OFFLOAD_V1=1), which does not know the flag.",
      .why = "Host buffers are allocated anew in each iteration although they were meant to be kept, which matters for CUDA graph capture.",
      .remedy = "Use Transformer Engine 2.10 or later without NVTE_CPU_OFFLOAD_V1=1, with cpu_offloading on; or remove the flag.",
      .evidence = {"megatron/core/extensions/transformer_engine.py", "if is_te_min_version(\"2.10.0\"): … retain_pinned_cpu_buffers"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading_retain_pinned_cpu_buffers")) return;
            const bool off = facts.off("model.cpu_offloading");
            if (!off && !offload_path_is_v1(facts)) return;
            report
                .add(std::string("cpu_offloading_retain_pinned_cpu_buffers has no effect: ") +
                     (off ? "cpu_offloading is off"
                          : "Transformer Engine " + facts.te().str() + " runs its older offload path, which ignores it"))
                .keys({"model.cpu_offloading_retain_pinned_cpu_buffers", "model.cpu_offloading"})
                .fix(Fix::Safety::kSafe, "remove the flag", {switch_off(facts, "model.cpu_offloading_retain_pinned_cpu_buffers")});
          },
  };
}

}  // namespace spillway::validate::rules
