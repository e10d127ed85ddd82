#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_sp() {
  return {
      .code = "RC-SP",
      .summary = "distribute_saved_activations excludes sequence parallelism",
      .raises = {{Place::kTransformerConfig, 1935, "ValueError",
                  "distribute_saved_activations: {} must be false when sequence parallel is enabled: {}"}},
      .what =
          "Recompute is on (recompute_granularity is not null) with distribute_saved_activations and sequence_parallel. Without recompute "
          "it is not looked at.",
      .why =
          "Sequence parallelism already splits the saved activations over the tensor-parallel ranks. Megatron-Core refuses both when the "
          "model configuration is built.",
      .remedy = "Switch distribute_saved_activations off.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.distribute_saved_activations and self.sequence_parallel:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.is_null("model.recompute_granularity") || facts.off("model.distribute_saved_activations")) return;
            if (facts.off("model.sequence_parallel")) return;
            report.add("distribute_saved_activations cannot be on with sequence_parallel, which splits saved activations already")
                .keys({"model.distribute_saved_activations", "model.sequence_parallel"})
                .with({facts.value("model.distribute_saved_activations").str(), facts.value("model.sequence_parallel").str()})
                .fix(Fix::Safety::kSafe, "switch distribute_saved_activations off",
                     {switch_off(facts, "model.distribute_saved_activations")});
          },
  };
}

}  // namespace spillway::validate::rules
