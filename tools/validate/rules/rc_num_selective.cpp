#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_num_selective() {
  return {
      .code = "RC-NUM-SELECTIVE",
      .summary = "selective recompute takes no recompute_num_layers",
      .raises = {{Place::kTransformerConfig, 1929, "ValueError",
                  "When using recompute_granularity: selective recompute_num_layers must be None."}},
      .what =
          "recompute_granularity is selective and recompute_num_layers is given. A recipe with full recompute leaves the number behind "
          "when only the granularity is changed.",
      .why = "Megatron-Core refuses that when the model configuration is built: selective recompute works in every layer.",
      .remedy = "Clear recompute_num_layers.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "elif self.recompute_granularity == 'selective' and self.recompute_num_layers is not None:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective") || facts.is_null("model.recompute_num_layers")) return;
            report
                .add("recompute_num_layers is " + facts.value("model.recompute_num_layers").str() + ", but selective recompute takes none")
                .keys({"model.recompute_num_layers", "model.recompute_granularity"})
                .fix(Fix::Safety::kSafe, "clear recompute_num_layers", {clear(facts, "model.recompute_num_layers")});
          },
  };
}

}  // namespace spillway::validate::rules
