#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_method_missing() {
  return {
      .code = "RC-METHOD-MISSING",
      .summary = "full recompute needs a recompute_method",
      .raises = {{Place::kTransformerConfig, 1914, "ValueError",
                  "Using recompute_granularity: {} so recompute_method must be \"block\" or \"uniform\""}},
      .what = "recompute_granularity is full, or anything else but selective and null, and recompute_method is not given.",
      .why = "Megatron-Core refuses that when the model configuration is built.",
      .remedy = "Set recompute_method to uniform or block, and recompute_num_layers.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "elif self.recompute_granularity != 'selective': raise ValueError  # recompute_method is None"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& granularity = facts.value("model.recompute_granularity");
            if (granularity.is_null() || granularity == config::Value("selective") || !facts.is_null("model.recompute_method")) return;
            report.add("recompute_granularity is " + granularity.str() + ", but recompute_method is not given")
                .keys({"model.recompute_method", "model.recompute_granularity"})
                .with({granularity.str()})
                .fix(Fix::Safety::kDisplayOnly, "recompute all layers one by one",
                     {set("model.recompute_method", "uniform"), set("model.recompute_num_layers", 1)})
                .fix(Fix::Safety::kDisplayOnly, "recompute selected modules instead",
                     {set("model.recompute_granularity", "selective"), clear(facts, "model.recompute_num_layers")});
          },
  };
}

}  // namespace spillway::validate::rules
