#include <algorithm>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Every layer is a MoE layer.
bool no_dense_layer(const Facts& facts) {
  const auto& frequency = facts.value("model.moe_layer_freq");
  if (const auto* layers = frequency.list()) return std::find(layers->begin(), layers->end(), config::Value(0)) == layers->end();
  return facts.number("model.moe_layer_freq") == 1.0;
}

bool pads_to_capacity(const Facts& facts) {
  return !facts.is_null("model.moe_expert_capacity_factor") && facts.on("model.moe_pad_expert_input_to_capacity");
}

/// Preprocessing copies counts to the host.
bool copies_to_host(const Facts& facts) {
  return facts.is("model.moe_token_dispatcher_type", "alltoall") &&
         (!facts.is_null("model.moe_expert_capacity_factor") || facts.on("model.moe_router_padding_for_quantization"));
}

}  // namespace

Rule cg_moe_scopes() {
  return {
      .code = "CG-MOE-SCOPES",
      .summary = "the captured modules do not fit the model's MoE layers",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2817, "AssertionError", "{} must not contain both moe and moe_router."},
                 {Place::kTransformerConfig, 2822, "AssertionError",
                  "moe_preprocess cuda graph is only supported with moe_router cuda graph."},
                 {Place::kTransformerConfig, 2826, "AssertionError", "moe cuda graph is only supported for MoE."},
                 {Place::kTransformerConfig, 2834, "AssertionError",
                  "mlp cuda graph is only supported for dense layers, but not found in the model."},
                 {Place::kTransformerConfig, 2842, "AssertionError", "moe cuda graph is only supported with drop-padding MoE."},
                 {Place::kTransformerConfig, 2849, "AssertionError",
                  "moe_preprocess cuda graph is not supported when there are DtoH copies and synchronizations in the preprocess step."}},
      .what =
          "Graph modules must match the layers: moe and moe_router exclude each other, moe_preprocess needs moe_router, moe and moe_router "
          "need experts, mlp needs a dense layer, moe needs padding to the expert capacity, and moe_preprocess must not copy to the host.",
      .why = "A captured module must exist and must run without dynamic shapes or host synchronisation; upstream refuses each other case.",
      .remedy =
          "Name only modules the model has: attn and moe_router (with moe_preprocess) for dropless MoE, attn and mlp for dense models.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert not (CudaGraphModule.moe in self.cuda_graph_modules and CudaGraphModule.moe_router in self.cuda_graph_modules)"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& graphs = facts.graphs();
            if (!graphs.any() || graphs.modules.empty()) return;
            if (graphs.impl == "full_iteration" && facts.core() >= Core::k0_18) return;  // a module list is refused there anyway
            const auto found = [&](std::size_t raise, std::string message, std::initializer_list<std::string> values = {}) {
              report.add(std::move(message))
                  .keys({"model.cuda_graph_modules", "model.cuda_graph_scope", "model.cuda_graph_impl"})
                  .raise(raise, values);
            };
            const bool moe = graphs.has("moe"), router = graphs.has("moe_router"), preprocess = graphs.has("moe_preprocess");
            if (moe && router)
              found(0, "the captured modules contain both moe and moe_router, which is a part of it",
                    {facts.core() >= Core::k0_18 ? "cuda_graph_modules" : "cuda_graph_scope"});
            if (preprocess && !router) found(1, "moe_preprocess is captured without moe_router");
            if (facts.number("model.num_moe_experts").value_or(0) <= 1) {
              if (moe || router) found(2, "moe modules are captured, but the model has no experts");
              return;
            }
            if (graphs.has("mlp") && no_dense_layer(facts)) found(3, "mlp is captured, but every layer is a MoE layer");
            if (pads_to_capacity(facts)) return;
            if (moe) found(4, "moe is captured, but its inputs are not padded to the expert capacity, so shapes vary");
            if (preprocess && copies_to_host(facts))
              found(5, "moe_preprocess is captured, but the alltoall dispatcher copies token counts to the host there");
          },
  };
}

}  // namespace spillway::validate::rules
