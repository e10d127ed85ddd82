#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_local_whole() {
  return {
      .code = "FGO-CG-LOCAL-WHOLE",
      .summary = "local CUDA graphs of whole layers do not run with fine-grained offload",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 2940, "AssertionError",
                  "fine-grained activation offloading with cuda_graph_impl='local' is not supported with whole-layer CUDA graph capture."}},
      .what =
          "fine_grained_activation_offloading is on, CUDA graphs are local, and cuda_graph_modules is empty (or full, or left at its "
          "default), which captures whole layers.",
      .why =
          "A graph around the whole layer leaves no place where an offload could start. Megatron-Core refuses the combination when the "
          "model configuration is built.",
      .remedy =
          "Name modules to capture that leave the experts out, e.g. cuda_graph_modules=[attn, moe_router], or use "
          "cuda_graph_impl=transformer_engine.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.cuda_graph_impl == \"local\": assert self.cuda_graph_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            if (facts.graphs().impl != "local" || !facts.graphs().modules.empty()) return;
            report
                .add(
                    "local CUDA graphs capture whole layers here (cuda_graph_modules is empty), which fine-grained offload does not "
                    "support")
                .keys({"model.cuda_graph_modules", "model.cuda_graph_impl", "model.cuda_graph_scope", "model.enable_cuda_graph"})
                .fix(Fix::Safety::kDisplayOnly, "capture attention and the router only", capture_only(facts, {"attn", "moe_router"}))
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
