#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_mla() {
  return {
      .code = "RC-MLA",
      .summary = "recomputing mla_up_proj needs multi-latent attention",
      .raises = {{Place::kTransformerConfig, 1970, "ValueError",
                  "mla_up_proj in recompute_modules is only supported with multi_latent_attention."}},
      .what = "Selective recompute names mla_up_proj in a model without multi_latent_attention.",
      .why = "Megatron-Core refuses that when the model configuration is built: the model has no such projection.",
      .remedy = "Take mla_up_proj out of recompute_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"mla_up_proj\" in self.recompute_modules and not self.multi_latent_attention:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective") || !facts.lists("model.recompute_modules", "mla_up_proj")) return;
            if (facts.on("model.multi_latent_attention")) return;
            report.add("recompute_modules names mla_up_proj, but the model has no multi-latent attention")
                .keys({"model.recompute_modules", "model.multi_latent_attention"})
                .fix(Fix::Safety::kSafe, "take mla_up_proj out", without_module(facts, "mla_up_proj"));
          },
  };
}

}  // namespace spillway::validate::rules
