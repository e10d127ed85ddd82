#include "tools/validate/edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_fused_mlp_combo() {
  return {
      .code = "FGO-FUSED-MLP-COMBO",
      .summary = "fused_group_mlp cannot be combined with expert_fc1 or moe_act",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 2191, "ValueError",
                  "fused_group_mlp offloads the whole fused grouped MLP and cannot be combined with expert_fc1 or moe_act. Remove: {}"}},
      .what = "fine_grained_activation_offloading is on and offload_modules has fused_group_mlp together with expert_fc1 or moe_act.",
      .why = "fused_group_mlp already covers both, as one unit. Megatron-Core refuses the list when the model configuration is built.",
      .remedy = "With the operation fuser keep fused_group_mlp alone; without it keep expert_fc1 and moe_act.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "moe_partial_offload = {\"expert_fc1\", \"moe_act\"} & set(self.offload_modules); if moe_partial_offload:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || !facts.offloads("fused_group_mlp")) return;
            const auto partial = common(facts.offload_modules(), {"expert_fc1", "moe_act"});
            if (partial.empty()) return;
            report.add("offload_modules has fused_group_mlp and also " + enumerated(partial) + ", which it already covers")
                .keys({"model.offload_modules", "model.fine_grained_activation_offloading"})
                .with({python_set(partial)})
                .fix(Fix::Safety::kDisplayOnly, "keep fused_group_mlp alone", without_offload_of(facts, partial))
                .fix(Fix::Safety::kDisplayOnly, "drop fused_group_mlp", without_offload_of(facts, {"fused_group_mlp"}));
          },
  };
}

}  // namespace spillway::validate::rules
