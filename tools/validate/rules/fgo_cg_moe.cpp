#include "tools/validate/graph_edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_moe() {
  return {
      .code = "FGO-CG-MOE",
      .summary = "a captured MoE layer does not run with fine-grained offload",
      .since = Core::k0_18,
      .raises = {{Place::kTransformerConfig, 2960, "AssertionError",
                  "Token-drop MoE is temporarily not supported with activation offloading."}},
      .what = "fine_grained_activation_offloading is on, CUDA graphs are on, and cuda_graph_modules has moe.",
      .why =
          "Capturing the whole MoE layer needs token dropping with padding, and that form does not work with offload yet. Megatron-Core "
          "refuses the combination when the model configuration is built.",
      .remedy = "Take moe out of cuda_graph_modules; moe_router (with moe_preprocess) can be captured.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fine_grained_activation_offloading: assert CudaGraphModule.moe not in self.cuda_graph_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || !facts.graphs().any() || !facts.graphs().has("moe")) return;
            report.add("cuda_graph_modules captures moe while fine-grained offload is on")
                .keys({"model.cuda_graph_modules", "model.cuda_graph_scope", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "do not capture moe", capture_only(facts, without(facts.graphs().modules, {"moe"})))
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
