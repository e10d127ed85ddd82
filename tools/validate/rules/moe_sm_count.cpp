#include <string>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_sm_count() {
  return {
      .code = "MOE-SM-COUNT",
      .summary = "the dispatcher's number of SMs is said once",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 1807, "ValueError",
                  "Conflicting deprecated SM-count knobs {}; set a single moe_flex_dispatcher_num_sms instead."}},
      .what =
          "moe_deepep_num_sms and moe_hybridep_num_sms are both given, with different values, and moe_flex_dispatcher_num_sms is "
          "not.",
      .why = "The configuration is refused.",
      .remedy = "Set moe_flex_dispatcher_num_sms alone.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "values of the deprecated knobs that are set differ: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.is_null("model.moe_deepep_num_sms") || facts.is_null("model.moe_hybridep_num_sms")) return;
            if (!facts.is_null("model.moe_flex_dispatcher_num_sms")) return;
            const auto deepep = facts.value("model.moe_deepep_num_sms").repr(), hybridep = facts.value("model.moe_hybridep_num_sms").repr();
            if (deepep == hybridep) return;
            report
                .add("moe_deepep_num_sms is " + deepep + " and moe_hybridep_num_sms is " + hybridep +
                     ", both deprecated spellings of one setting")
                .keys({"model.moe_deepep_num_sms", "model.moe_hybridep_num_sms", "model.moe_flex_dispatcher_num_sms"})
                .with({"{'moe_deepep_num_sms': " + deepep + ", 'moe_hybridep_num_sms': " + hybridep + "}"})
                .fix(Fix::Safety::kDisplayOnly, "set moe_flex_dispatcher_num_sms to one of them and leave the two out");
          },
  };
}

}  // namespace spillway::validate::rules
