#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_gran() {
  return {
      .code = "RC-GRAN",
      .summary = "recompute_granularity must be full, selective or null",
      .raises = {{Place::kTransformerConfig, 1903, "ValueError", "When using recompute_granuarlity: {} must be \"full\"or \"selective\"."}},
      .what =
          "recompute_granularity is set to anything but full or selective, compared exactly. The words None and none are such values, and "
          "so are block and uniform, which belong to recompute_method.",
      .why = "Megatron-Core refuses the value when the model configuration is built.",
      .remedy = "Write full or selective; write null for no recompute.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.recompute_granularity not in ['full', 'selective']:"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& granularity = facts.value("model.recompute_granularity");
            if (granularity.is_null() || granularity == config::Value("full") || granularity == config::Value("selective")) return;
            auto found = report.add("recompute_granularity is " + granularity.repr() + "; it must be full, selective or null");
            found.keys({"model.recompute_granularity"}).with({granularity.str()});
            const std::string word = lower(trim(facts.text("model.recompute_granularity")));
            if (granularity.string() != nullptr && (word.empty() || word == "none" || word == "null"))
              found.fix(Fix::Safety::kSafe, "write null for no recompute", {clear(facts, "model.recompute_granularity")});
            else if (word == "full" || word == "selective")
              // Full recompute asks for a method and a number of layers as well.
              found.fix(word == "full" && (facts.is_null("model.recompute_method") || facts.is_null("model.recompute_num_layers"))
                            ? Fix::Safety::kDisplayOnly
                            : Fix::Safety::kSafe,
                        "write " + word, {set("model.recompute_granularity", word)});
            else
              found.fix(Fix::Safety::kDisplayOnly, "recompute selected modules", {set("model.recompute_granularity", "selective")})
                  .fix(Fix::Safety::kDisplayOnly, "do not recompute", {clear(facts, "model.recompute_granularity")});
          },
  };
}

}  // namespace spillway::validate::rules
