#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/graph_edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_torch() {
  return {
      .code = "FGO-CG-TORCH",
      .summary = "offloading captured attention modules needs torch 2.9",
      .stage = Stage::kBuild,
      .since = Core::k0_19,
      .raises = {{Place::kBuildModel, 1606, "AssertionError", "Offloading modules captured in cuda graph requires torch>=2.9.0."}},
      .what =
          "fine_grained_activation_offloading offloads core_attn, attn_proj or qkv_linear, Transformer Engine's CUDA graphs capture attn, "
          "and torch is older than 2.9. Checked only when torch's version is stated. (An mlp_norm offloaded inside a captured dense mlp "
          "has the same need.)",
      .why = "The offload inside a captured module uses events that older torch cannot record in a graph; building the layers fails.",
      .remedy = "Use torch 2.9 or newer, do not capture attn, or do not offload inside it.",
      .evidence = {"megatron/core/transformer/transformer_layer.py",
                   "captured and offloaded modules overlap: assert is_torch_min_version(\"2.9.0a0\")"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto torch = facts.torch();
            if (!torch || *torch >= Version{2, 9, 0, 0}) return;
            const auto captured = offloaded_in_captured_attention(facts);
            if (captured.empty()) return;
            report.add("offloading " + enumerated(captured) + " inside captured attention needs torch 2.9.0, this is " + torch->str())
                .keys({"model.offload_modules", "model.cuda_graph_modules", "model.cuda_graph_scope", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "do not offload inside attention", without_offload_of(facts, captured))
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
