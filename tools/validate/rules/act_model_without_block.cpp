#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// What tells that the model is a hybrid one; empty when nothing does.
std::string_view hybrid_sign(const Facts& facts) {
  if (facts.megatron_lm() && (facts.script() == "hybrid" || facts.script() == "mamba")) return "its entry script";
  if (facts.model_class().find("Hybrid") != std::string_view::npos || facts.model_class().find("Mamba") != std::string_view::npos)
    return "its model class";
  for (const std::string_view key :
       {"model.hybrid_layer_pattern", "model.hybrid_override_pattern", "args.hybrid_layer_pattern", "args.hybrid_override_pattern"})
    if (facts.given(key) && facts.on(key)) return "its layer pattern";
  return facts.on("model.is_hybrid_model") ? "is_hybrid_model" : "";
}

}  // namespace

Rule act_model_without_block() {
  return {
      .code = "ACT-MODEL-WITHOUT-BLOCK",
      .summary = "this kind of model never opens the layer-level offload context",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what =
          "cpu_offloading is on for a hybrid (Mamba and attention) model. Its stack of layers is not the transformer block that opens the "
          "offload context.",
      .why = "The setting is accepted and nothing is offloaded: memory does not fall.",
      .remedy = "Use fine-grained activation offload, which hybrid models support, or recompute.",
      .evidence = {"megatron/core/transformer/transformer_block.py", "the context is made in TransformerBlock.__init__ and nowhere else"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const std::string_view sign = hybrid_sign(facts);
            if (sign.empty()) return;
            report
                .add("cpu_offloading has no effect in a hybrid model (" + std::string(sign) +
                     "): its layer stack never opens the offload context")
                .keys({"model.cpu_offloading", "model.cpu_offloading_num_layers", "model.hybrid_layer_pattern", "model.is_hybrid_model"})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off, and offload fine-grained instead",
                     no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
