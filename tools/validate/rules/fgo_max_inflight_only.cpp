#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_max_inflight_only() {
  static constexpr std::string_view kKey = "model.fine_grained_offloading_max_inflight_offloads";
  return {
      .code = "FGO-MAX-INFLIGHT-ONLY",
      .summary = "a cap on offloads in flight without fine-grained offload has no effect",
      .severity = Severity::kWarning,
      .since = Core::k0_18,
      .what = "fine_grained_offloading_max_inflight_offloads is set and fine_grained_activation_offloading is off.",
      .why = "The value is neither used nor checked.",
      .remedy = "Switch fine_grained_activation_offloading on, or remove the cap.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fine_grained_activation_offloading: … fine_grained_offloading_max_inflight_offloads"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.given(kKey) || facts.is_null(kKey) || facts.on("model.fine_grained_activation_offloading")) return;
            report
                .add("fine_grained_offloading_max_inflight_offloads is " + facts.value(kKey).str() +
                     " but fine_grained_activation_offloading is off: no effect")
                .keys({kKey, "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kSafe, "remove the cap", {clear(facts, kKey)});
          },
  };
}

}  // namespace spillway::validate::rules
