#include "tools/validate/edits.hpp"
#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_fraction() {
  static constexpr std::string_view kKey = "model.activation_offload_fraction";
  return {
      .code = "FGO-FRACTION",
      .summary = "the share of activations to offload must be within 0 and 1, and 0 offloads nothing",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 2179, "AssertionError", "activation_offload_fraction must be in range [0, 1]."}},
      .what = "fine_grained_activation_offloading is on and activation_offload_fraction is outside 0 to 1, or exactly 0.",
      .why =
          "Outside the range Megatron-Core refuses the model configuration. 0 is legal: the first iteration still offloads everything, "
          "after it no group is offloaded any more, so the feature costs and saves nothing.",
      .remedy =
          "Choose a share between 0 and 1; 1 (the default) offloads all eligible groups. A percentage is written as a share: 0.5, not 50.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.activation_offload_fraction >= 0 and self.activation_offload_fraction <= 1"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            const auto& value = facts.value(kKey);
            const auto fraction = facts.number(kKey);
            if (!fraction) {
              report.add("activation_offload_fraction must be a number, not " + value.repr())
                  .keys({kKey})
                  .natural("TypeError", not_comparable(">=", value));
              return;
            }
            if (*fraction > 0 && *fraction <= 1) return;
            if (*fraction == 0) {
              report.add("activation_offload_fraction is 0: after the first iteration nothing is offloaded")
                  .severity(Severity::kWarning)
                  .stage(Stage::kForward)
                  .keys({kKey, "model.fine_grained_activation_offloading"})
                  .fix(Fix::Safety::kDisplayOnly, "offload all eligible groups", {set(kKey, 1.0)})
                  .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload off",
                       {switch_off(facts, "model.fine_grained_activation_offloading")});
              return;
            }
            auto finding = report.add("activation_offload_fraction is " + value.str() + "; it must be within 0 and 1");
            finding.keys({kKey, "model.fine_grained_activation_offloading"});
            if (*fraction > 1 && *fraction <= 100)
              finding.fix(Fix::Safety::kDisplayOnly, "write the percentage as a share", {set(kKey, *fraction / 100)});
            finding.fix(Fix::Safety::kDisplayOnly, "offload all eligible groups", {set(kKey, 1.0)});
          },
  };
}

}  // namespace spillway::validate::rules
