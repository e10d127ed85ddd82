#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_gdn() {
  return {
      .code = "RC-GDN",
      .summary = "recomputing gdn_norm_out needs gated delta net attention",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig,
                  1978,
                  "ValueError",
                  "gdn_norm_out in recompute_modules is only supported with experimental_attention_variant='gdn' or 'gdn2'.",
                  {},
                  Core::kBridgePin},
                 {Place::kTransformerConfig,
                  1978,
                  "ValueError",
                  "gdn_norm_out in recompute_modules is only supported with experimental_attention_variant='gated_delta_net'.",
                  {},
                  Core::k0_19,
                  Core::k0_19}},
      .what = "Selective recompute names gdn_norm_out in a model whose experimental_attention_variant is no gated delta net.",
      .why = "Megatron-Core refuses that when the model configuration is built: the model has no such norm.",
      .remedy = "Take gdn_norm_out out of recompute_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"gdn_norm_out\" in self.recompute_modules and the attention variant is no gated delta net:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective") || !facts.lists("model.recompute_modules", "gdn_norm_out")) return;
            const std::string_view variant = facts.text("model.experimental_attention_variant");
            if (variant == "gdn" || variant == "gdn2" || variant == "gated_delta_net") return;
            report.add("recompute_modules names gdn_norm_out, but the model's attention is no gated delta net")
                .keys({"model.recompute_modules", "model.experimental_attention_variant"})
                .fix(Fix::Safety::kSafe, "take gdn_norm_out out", without_module(facts, "gdn_norm_out"));
          },
  };
}

}  // namespace spillway::validate::rules
