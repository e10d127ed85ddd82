#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_attn_norm() {
  return {
      .code = "FGO-CG-ATTN-NORM",
      .summary = "captured attention switches the offload of attn_norm off",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .since = Core::k0_19,
      .what = "fine_grained_activation_offloading names attn_norm while CUDA graphs capture attn.",
      .why = "The layers drop attn_norm from the offload and say so in the log; its activations stay on the GPU.",
      .remedy = "Take attn_norm out of offload_modules, or do not capture attn.",
      .evidence = {"megatron/core/transformer/transformer_layer.py",
                   "\"attn_norm offloading is not supported with attn cudagraph. Disabling attn_norm offloading.\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_fine(facts, "attn_norm") || !facts.graphs().any() || !facts.graphs().has("attn")) return;
            report.add("attn_norm in offload_modules has no effect: CUDA graphs capture attn")
                .keys({"model.offload_modules", "model.cuda_graph_modules", "model.cuda_graph_scope"})
                .fix(Fix::Safety::kSafe, "take attn_norm out of offload_modules", without_offload_of(facts, {"attn_norm"}));
          },
  };
}

}  // namespace spillway::validate::rules
