#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_gdp_qkv_recompute() {
  return {
      .code = "FGO-GDP-QKV-RECOMPUTE",
      .summary = "gdp_qkv cannot be offloaded while gdp_in_proj is recomputed",
      .since = Core::kMain,
      .raises = {{Place::kTransformerConfig, 2159, "ValueError",
                  "gdp_qkv cannot be set in offload_modules together with gdp_in_proj in recompute_modules, because gdp_in_proj discards "
                  "the input of the causal conv and rematerializes it at the start of the mixer backward, leaving nothing for the gdp_qkv "
                  "offload group to keep on the host."}},
      .what = "fine_grained_activation_offloading is on, offload_modules has gdp_qkv, and selective recompute covers gdp_in_proj.",
      .why =
          "Recomputing the input projection throws away the very tensor that gdp_qkv would keep on the host. Megatron-Core refuses the "
          "pair when the model configuration is built.",
      .remedy = "Choose one: remove gdp_qkv from offload_modules, or gdp_in_proj from recompute_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"gdp_qkv\" in self.offload_modules and self.recompute_granularity == \"selective\" and \"gdp_in_proj\" in "
                   "self.recompute_modules:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            if (!facts.offloads("gdp_qkv") || !facts.recomputes("gdp_in_proj")) return;
            report.add("gdp_qkv is offloaded while gdp_in_proj is recomputed: recompute discards what would be offloaded")
                .keys({"model.offload_modules", "model.recompute_modules", "model.recompute_granularity"})
                .fix(Fix::Safety::kDisplayOnly, "do not offload gdp_qkv", without_offload_of(facts, {"gdp_qkv"}))
                .fix(Fix::Safety::kDisplayOnly, "do not recompute gdp_in_proj", without_recompute_of(facts, "gdp_in_proj"));
          },
  };
}

}  // namespace spillway::validate::rules
