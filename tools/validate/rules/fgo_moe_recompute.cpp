#include "tools/validate/edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_moe_recompute() {
  return {
      .code = "FGO-MOE-RECOMPUTE",
      .summary = "parts of the MoE layer cannot be offloaded while the whole layer is recomputed",
      .since = Core::k0_16,
      .raises = {{.place = Place::kTransformerConfig,
                  .sequence = 2169,
                  .type = "AssertionError",
                  .text = "Cannot offload {} while recomputing the entire MoE layer. 'moe' in recompute_modules wraps the full MoE forward "
                          "in a checkpoint, so offloading activations inside it is redundant and will cause errors. Either remove 'moe' "
                          "from --recompute-modules or remove {} from --offload-modules.",
                  .since = Core::k0_19}},
      .what =
          "fine_grained_activation_offloading is on, selective recompute covers moe, and offload_modules has expert_fc1, moe_act or "
          "fused_group_mlp. The deprecated moe_layer_recompute counts as recomputing moe.",
      .why =
          "A checkpoint around the whole MoE layer keeps none of its inner activations, so offloading them is redundant and, by upstream's "
          "own words, causes errors. Megatron-Core refuses it since 0.19; 0.16 to 0.18 accept the configuration unchecked.",
      .remedy =
          "Choose one: remove moe from recompute_modules (and moe_layer_recompute), or take the expert modules out of offload_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "offload_inside_moe = {\"moe_act\", \"expert_fc1\", \"fused_group_mlp\"} & set(self.offload_modules); assert not "
                   "offload_inside_moe"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            const auto inside = common(facts.offload_modules(), {"expert_fc1", "fused_group_mlp", "moe_act"});
            if (inside.empty() || !facts.recomputes("moe")) return;
            const auto set_text = python_set(inside);
            auto finding = report.add(enumerated(inside) +
                                      " in offload_modules lies inside the MoE layer, which recompute_modules recomputes as a whole");
            finding.keys({"model.offload_modules", "model.recompute_modules", "model.recompute_granularity", "model.moe_layer_recompute"})
                .with({set_text, set_text})
                .fix(Fix::Safety::kDisplayOnly, "do not offload inside the MoE layer", without_offload_of(facts, inside))
                .fix(Fix::Safety::kDisplayOnly, "do not recompute the whole MoE layer", without_recompute_of(facts, "moe"));
            if (facts.core() < Core::k0_19) finding.severity(Severity::kWarning).stage(Stage::kForward);
          },
  };
}

}  // namespace spillway::validate::rules
