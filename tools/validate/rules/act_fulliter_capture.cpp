#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_fulliter_capture() {
  return {
      .code = "ACT-FULLITER-CAPTURE",
      .summary = "a full-iteration graph with layer-level offload wants retained pinned buffers",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .since = Core::k0_18,
      .what = "cpu_offloading is on, the CUDA graph spans the full iteration, and cpu_offloading_retain_pinned_cpu_buffers is off.",
      .why =
          "Without the flag Transformer Engine allocates fresh pinned host memory for every iteration, also while the graph is captured; "
          "it documents the flag as needed for capture. Derived from the code, not from a run.",
      .remedy =
          "Set cpu_offloading_retain_pinned_cpu_buffers to true, with Transformer Engine 2.10 or later and without NVTE_CPU_OFFLOAD_V1=1.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "retain_pinned_cpu_buffers: reuse the CPU buffers of the iteration before"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || facts.graphs().impl != "full_iteration") return;
            if (facts.on("model.cpu_offloading_retain_pinned_cpu_buffers")) return;
            report
                .add(
                    "a full-iteration CUDA graph captures offload's host buffers, which are allocated anew in each iteration: "
                    "cpu_offloading_retain_pinned_cpu_buffers is off")
                .keys({"model.cpu_offloading_retain_pinned_cpu_buffers", "model.cuda_graph_impl", "model.cpu_offloading"})
                .fix(Fix::Safety::kUnsafe, "keep the pinned buffers", {set("model.cpu_offloading_retain_pinned_cpu_buffers", true)});
          },
  };
}

}  // namespace spillway::validate::rules
