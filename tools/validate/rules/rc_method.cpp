#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_method() {
  return {
      .code = "RC-METHOD",
      .summary = "recompute_method must be block or uniform",
      .raises = {{Place::kTransformerConfig, 1910, "ValueError", "recompute_method: {} must be \"block\" or \"uniform\"."}},
      .what =
          "Recompute is on (recompute_granularity is not null) and recompute_method is set to anything but block or uniform. Without "
          "recompute it is not looked at.",
      .why = "Megatron-Core refuses the value when the model configuration is built.",
      .remedy =
          "Write block (the first recompute_num_layers layers of each stage) or uniform (all layers, in groups of that many); null for "
          "selective recompute.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.recompute_method is not None: if not self.recompute_method in ['block', 'uniform']:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.is_null("model.recompute_granularity")) return;
            const auto& method = facts.value("model.recompute_method");
            if (method.is_null() || method == config::Value("block") || method == config::Value("uniform")) return;
            auto found = report.add("recompute_method is " + method.repr() + "; it must be block or uniform");
            found.keys({"model.recompute_method"}).with({method.str()});
            const std::string word = lower(trim(facts.text("model.recompute_method")));
            if (word == "block" || word == "uniform") {
              found.fix(Fix::Safety::kSafe, "write " + word, {set("model.recompute_method", word)});
              return;
            }
            if (facts.is("model.recompute_granularity", "selective"))
              found.fix(Fix::Safety::kSafe, "take the method back: selective recompute needs none",
                        {clear(facts, "model.recompute_method")});
            else
              found.fix(Fix::Safety::kDisplayOnly, "recompute all layers in groups", {set("model.recompute_method", "uniform")})
                  .fix(Fix::Safety::kDisplayOnly, "recompute the first layers of each stage", {set("model.recompute_method", "block")});
          },
  };
}

}  // namespace spillway::validate::rules
