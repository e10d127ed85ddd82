#include "tools/validate/graph_edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// What is offloaded lies inside the experts, and something is.
bool offloads_experts_only(const Facts& facts) {
  const auto modules = facts.offload_modules();
  return !modules.empty() && modules.size() == common(modules, {"expert_fc1", "fused_group_mlp", "moe_act"}).size();
}

}  // namespace

Rule fgo_cg_local_moe() {
  return {
      .code = "FGO-CG-LOCAL-MOE",
      .summary = "local CUDA graphs that capture the MoE layer do not run with fine-grained offload",
      .since = Core::k0_18,
      .raises = {{.place = Place::kTransformerConfig,
                  .sequence = 2950,
                  .type = "AssertionError",
                  .text = "fine-grained activation offloading is only supported with transformer_engine CUDA graph implementation or local "
                          "CUDA graph implementation with full_iteration scope.",
                  .until = Core::k0_18},
                 {.place = Place::kTransformerConfig,
                  .sequence = 2950,
                  .type = "AssertionError",
                  .text = "fine-grained activation offloading is only supported with transformer_engine CUDA graph implementation or local "
                          "CUDA graph implementation with partial MoE offload. Local partial CUDA graphs are supported only for "
                          "expert_fc1, moe_act, or fused_group_mlp offload when the full MoE module is not captured.",
                  .since = Core::k0_19}},
      .what =
          "fine_grained_activation_offloading is on, CUDA graphs are local, and cuda_graph_modules has moe, or something outside the "
          "experts is offloaded. In 0.18 any local graph is refused, whatever it captures.",
      .why =
          "Offload inside a captured MoE layer is not possible with local graphs. Megatron-Core refuses the combination when the model "
          "configuration is built.",
      .remedy = "Capture moe_router instead of moe, use cuda_graph_impl=transformer_engine, or switch CUDA graphs off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.cuda_graph_impl in (\"transformer_engine\", \"full_iteration\") or local_partial_moe_offload"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.graphs().impl != "local") return;
            const bool any_local = facts.core() == Core::k0_18, moe = facts.graphs().has("moe");
            if (!any_local && !moe && offloads_experts_only(facts)) return;
            report
                .add(any_local ? "fine-grained offload does not run with local CUDA graphs in this version"
                     : moe     ? "local CUDA graphs capture the MoE layer, which fine-grained offload does not support"
                               : "beside local CUDA graphs only expert_fc1, moe_act and fused_group_mlp can be offloaded")
                .keys({"model.cuda_graph_modules", "model.offload_modules", "model.cuda_graph_impl", "model.cuda_graph_scope",
                       "model.enable_cuda_graph"})
                .fix(Fix::Safety::kDisplayOnly, "use Transformer Engine's graphs", capture_with(facts, "transformer_engine"))
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
