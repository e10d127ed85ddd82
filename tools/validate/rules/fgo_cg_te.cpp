#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/graph_edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_te() {
  return {
      .code = "FGO-CG-TE",
      .summary = "offloading captured attention modules needs Transformer Engine 2.14",
      .stage = Stage::kBuild,
      .since = Core::k0_19,
      .raises = {{Place::kBuildModel, 1610, "AssertionError", "Offloading modules captured in cuda graph requires TE>=2.14.0."}},
      .what =
          "fine_grained_activation_offloading offloads core_attn, attn_proj or qkv_linear, Transformer Engine's CUDA graphs capture attn, "
          "and Transformer Engine is older than 2.14. (An mlp_norm offloaded inside a captured dense mlp has the same need.)",
      .why = "Older versions cannot synchronise the offload stream with the captured module; building the layers fails.",
      .remedy = "Use Transformer Engine 2.14 or newer, do not capture attn, or do not offload inside it.",
      .evidence = {"megatron/core/transformer/transformer_layer.py",
                   "captured and offloaded modules overlap: assert is_te_min_version(\"2.14.0\")"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.te() >= Version{2, 14, 0}) return;
            const auto captured = offloaded_in_captured_attention(facts);
            if (captured.empty()) return;
            report
                .add("offloading " + enumerated(captured) + " inside captured attention needs Transformer Engine 2.14.0, this is " +
                     facts.te().str())
                .keys({"model.offload_modules", "model.cuda_graph_modules", "model.cuda_graph_scope", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "do not offload inside attention", without_offload_of(facts, captured))
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
