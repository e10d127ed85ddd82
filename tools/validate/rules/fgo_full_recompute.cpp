#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_full_recompute() {
  return {
      .code = "FGO-FULL-RECOMPUTE",
      .summary = "fine-grained offload with full recompute is not checked, and not known to work",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .since = Core::k0_16,
      .what = "fine_grained_activation_offloading is on and recompute_granularity is full.",
      .why =
          "Nothing refuses the two. By reading the code: with full recompute the forward of a block runs without gradients and is replayed "
          "in backward, while the offload manager expects its groups in forward. Treat it as unsupported.",
      .remedy = "Recompute selectively, or drop one of the two: full recompute already keeps only the layer inputs.",
      .evidence = {"megatron/core/pipeline_parallel/fine_grained_activation_offload.py", "no check looks at recompute_granularity"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || !facts.is("model.recompute_granularity", "full")) return;
            report.add("fine-grained offload is on with full recompute; upstream does not check the pair and it is not known to work")
                .keys({"model.recompute_granularity", "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload off",
                     {switch_off(facts, "model.fine_grained_activation_offloading")})
                .fix(Fix::Safety::kDisplayOnly, "do not recompute", no_recompute(facts));
          },
  };
}

}  // namespace spillway::validate::rules
