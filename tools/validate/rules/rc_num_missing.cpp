#include <algorithm>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_num_missing() {
  return {
      .code = "RC-NUM-MISSING",
      .summary = "full recompute needs recompute_num_layers",
      .raises = {{Place::kTransformerConfig, 1920, "ValueError",
                  "When using recompute_granularity: {} recompute_num_layers must be between 1 and num_layers_per_pipeline_rank: {}"}},
      .what =
          "recompute_granularity is full, or anything else but selective and null, and recompute_num_layers is not given. The value itself "
          "is not checked here.",
      .why = "Megatron-Core refuses that when the model configuration is built.",
      .remedy =
          "Set recompute_num_layers to 1 with the method uniform, or to the number of layers per stage that shall be recomputed with "
          "block.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.recompute_granularity != 'selective' and self.recompute_num_layers is None:"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& granularity = facts.value("model.recompute_granularity");
            if (granularity.is_null() || granularity == config::Value("selective") || !facts.is_null("model.recompute_num_layers")) return;
            const auto stages = std::max<std::int64_t>(1, facts.integer("model.pipeline_model_parallel_size", 1));
            const std::string layers = std::to_string(facts.integer("model.num_layers") / stages);
            report
                .add("recompute_granularity is " + granularity.str() + ", but recompute_num_layers is not given; it must be 1 to " + layers)
                .keys({"model.recompute_num_layers", "model.recompute_granularity"})
                .with({granularity.str(), layers})
                .fix(Fix::Safety::kDisplayOnly, "recompute one layer at a time", {set("model.recompute_num_layers", 1)});
          },
  };
}

}  // namespace spillway::validate::rules
