#include "tools/validate/edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_stash_conflict() {
  return {
      .code = "FGO-STASH-CONFLICT",
      .summary = "paged stash covers the expert activations, so offload_modules must not name them",
      .since = Core::k0_18,
      .raises = {{.place = Place::kTransformerConfig,
                  .sequence = 2222,
                  .type = "ValueError",
                  .text = "When moe_paged_stash is enabled, offload_modules must not include expert_fc1 or moe_act (paged stash covers "
                          "those activations). Remove: {}",
                  .until = Core::k0_18},
                 {.place = Place::kTransformerConfig,
                  .sequence = 2222,
                  .type = "ValueError",
                  .text = "When moe_paged_stash is enabled, offload_modules must not include expert_fc1, moe_act, or fused_group_mlp "
                          "(paged stash covers those activations). Remove: {}",
                  .since = Core::k0_19}},
      .what =
          "moe_paged_stash is on and offload_modules names expert_fc1, moe_act or (since 0.19) fused_group_mlp, or is null. The list is "
          "looked at even when fine_grained_activation_offloading is off.",
      .why =
          "Both mechanisms would manage the same activations. Megatron-Core refuses the configuration; a null list fails with a TypeError "
          "because the check iterates it.",
      .remedy =
          "Take the expert modules out of offload_modules (use an empty list, not null), or switch moe_paged_stash off. Bridge's MoE "
          "performance recipes preset moe_paged_stash.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "moe_offload_conflict = {\"expert_fc1\", \"moe_act\", \"fused_group_mlp\"} & set(self.offload_modules); if "
                   "moe_offload_conflict:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.moe_paged_stash")) return;
            if (facts.is_null("model.offload_modules")) {
              report.add("offload_modules is null while moe_paged_stash is on; the check iterates it, so it must be a list")
                  .keys({"model.offload_modules", "model.moe_paged_stash"})
                  .natural("TypeError", "'NoneType' object is not iterable")
                  .fix(Fix::Safety::kSafe, "use an empty list", {set("model.offload_modules", config::List{})});
              return;
            }
            std::set<std::string> covered{"expert_fc1", "moe_act"};
            if (facts.core() >= Core::k0_19) covered.insert("fused_group_mlp");
            const auto conflict = common(facts.offload_modules(), covered);
            if (conflict.empty()) return;
            report.add("offload_modules names " + enumerated(conflict) + ", which moe_paged_stash already covers")
                .keys({"model.offload_modules", "model.moe_paged_stash"})
                .with({python_set(conflict)})
                .fix(Fix::Safety::kDisplayOnly, "leave the expert modules to the stash", without_offload_of(facts, conflict))
                .fix(Fix::Safety::kDisplayOnly, "switch the paged stash off", {switch_off(facts, "model.moe_paged_stash")});
          },
  };
}

}  // namespace spillway::validate::rules
