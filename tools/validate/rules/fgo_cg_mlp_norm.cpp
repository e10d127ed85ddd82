#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// In MoE layers the norm lies between captured attention and router; in dense ones it must be captured with both neighbours or neither.
bool disabled(const Facts& facts) {
  const Graphs& graphs = facts.graphs();
  if (!graphs.any()) return false;
  if (facts.integer("model.num_moe_experts") > 0) return graphs.has("attn") || graphs.has("moe_router");
  return graphs.has("attn") != graphs.has("mlp");
}

}  // namespace

Rule fgo_cg_mlp_norm() {
  return {
      .code = "FGO-CG-MLP-NORM",
      .summary = "what CUDA graphs capture switches the offload of mlp_norm off",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .since = Core::k0_19,
      .what =
          "fine_grained_activation_offloading names mlp_norm, and CUDA graphs capture attn or moe_router in a MoE model, or exactly one of "
          "attn and mlp in a dense one.",
      .why = "The layers drop mlp_norm from the offload and say so in the log; its activations stay on the GPU.",
      .remedy = "Take mlp_norm out of offload_modules, or change what is captured.",
      .evidence = {"megatron/core/transformer/transformer_layer.py",
                   "\"mlp_norm offloading is not supported with the current cudagraph scope. Disabling mlp_norm offloading.\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_fine(facts, "mlp_norm") || !disabled(facts)) return;
            report.add("mlp_norm in offload_modules has no effect with what CUDA graphs capture here")
                .keys({"model.offload_modules", "model.cuda_graph_modules", "model.cuda_graph_scope", "model.num_moe_experts"})
                .fix(Fix::Safety::kSafe, "take mlp_norm out of offload_modules", without_offload_of(facts, {"mlp_norm"}));
          },
  };
}

}  // namespace spillway::validate::rules
