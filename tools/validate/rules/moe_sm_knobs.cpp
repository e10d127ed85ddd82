#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_sm_knobs() {
  return {
      .code = "MOE-SM-KNOBS",
      .summary = "the two deprecated numbers of SMs for expert communication differ",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 1807, "ValueError",
                  "Conflicting deprecated SM-count knobs {}; set a single moe_flex_dispatcher_num_sms instead."}},
      .what = "moe_deepep_num_sms and moe_hybridep_num_sms are both set, to different values, and moe_flex_dispatcher_num_sms is not.",
      .why = "Both became moe_flex_dispatcher_num_sms, and Megatron-Core does not choose between them.",
      .remedy = "Set moe_flex_dispatcher_num_sms and clear the other two.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if len(set(_deprecated_num_sms.values())) > 1: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& deepep = facts.value("model.moe_deepep_num_sms");
            const auto& hybridep = facts.value("model.moe_hybridep_num_sms");
            if (deepep.is_null() || hybridep.is_null() || deepep == hybridep || !facts.is_null("model.moe_flex_dispatcher_num_sms")) return;
            report
                .add("moe_deepep_num_sms is " + deepep.str() + " and moe_hybridep_num_sms is " + hybridep.str() +
                     "; they are one setting now")
                .keys({"model.moe_deepep_num_sms", "model.moe_hybridep_num_sms", "model.moe_flex_dispatcher_num_sms"})
                .with({"{'moe_deepep_num_sms': " + deepep.repr() + ", 'moe_hybridep_num_sms': " + hybridep.repr() + "}"})
                .fix(Fix::Safety::kDisplayOnly, "keep one of the numbers", {clear(facts, "model.moe_deepep_num_sms")});
          },
  };
}

}  // namespace spillway::validate::rules
