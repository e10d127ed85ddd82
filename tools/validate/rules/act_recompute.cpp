#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// A word or nothing where null was meant.
bool means_null(const config::Value& value) {
  if (value.string() == nullptr) return false;
  const std::string text = lower(trim(*value.string()));
  return text.empty() || text == "none" || text == "null";
}

}  // namespace

Rule act_recompute() {
  return {
      .code = "ACT-RECOMPUTE",
      .summary = "layer-level activation offload does not run with activation recompute",
      .raises = {{Place::kTransformerConfig, 1897, "ValueError", "CPU offloading does not work when activation recomputation is enabled"}},
      .what =
          "cpu_offloading is on and recompute_granularity is anything but null: full, selective, and also the words None, none or an empty "
          "text. The method, the number of layers and the modules do not matter by themselves.",
      .why =
          "Recomputed layers run outside the offload context, so that the two would fight over the same activations. Megatron-Core refuses "
          "the combination when the model configuration is built.",
      .remedy =
          "Clear recompute_granularity, recompute_method and recompute_num_layers; or keep recompute and use fine-grained offload, which "
          "goes together with selective recompute.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.cpu_offloading and self.recompute_granularity is not None:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || facts.is_null("model.recompute_granularity")) return;
            const auto& granularity = facts.value("model.recompute_granularity");
            const bool null_meant = means_null(granularity);
            auto found = report.add("cpu_offloading and activation recompute exclude each other; recompute_granularity is " +
                                    granularity.repr() + (null_meant ? ", which is text and counts as set: write null" : ""));
            found.keys({"model.recompute_granularity", "model.cpu_offloading", "args.recompute_activations"});
            if (null_meant) {
              found.fix(Fix::Safety::kSafe, "write null instead of a word", {clear(facts, "model.recompute_granularity")});
              return;
            }
            found.fix(Fix::Safety::kDisplayOnly, "switch recompute off", no_recompute(facts))
                .fix(Fix::Safety::kDisplayOnly,
                     "switch layer-level offload off, and offload fine-grained beside selective recompute instead",
                     no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
