#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_mhc() {
  return {
      .code = "RC-MHC",
      .summary = "recomputing mhc needs hyper connections, and excludes recomputing mlp",
      .since = Core::kMain,
      .raises =
          {{Place::kTransformerConfig, 2030, "ValueError", "'mhc' in recompute_modules requires enable_mhc_connections=True."},
           {Place::kTransformerConfig, 2032, "ValueError",
            "'mhc' and 'mlp' in recompute_modules cannot be used together. They use different checkpoint mechanisms that may conflict."}},
      .what =
          "Selective recompute (also through moe_layer_recompute) names mhc in a model without enable_mhc_connections, or names mhc and "
          "mlp together.",
      .why = "Megatron-Core refuses both when the model configuration is built.",
      .remedy = "Take mhc out of recompute_modules; with hyper connections on, keep either mhc or mlp.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.recompute_granularity == \"selective\" and \"mhc\" in self.recompute_modules: if not "
                   "self.enable_mhc_connections: … if \"mlp\" in self.recompute_modules:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.recomputes("mhc")) return;
            if (facts.recomputes("mlp"))
              report.add("recompute_modules names mhc and mlp, which exclude each other")
                  .raise(1)
                  .keys({"model.recompute_modules"})
                  .fix(Fix::Safety::kDisplayOnly, "do not recompute mlp", without_module(facts, "mlp"))
                  .fix(Fix::Safety::kDisplayOnly, "do not recompute mhc", without_module(facts, "mhc"));
            if (facts.on("model.enable_mhc_connections")) return;
            report.add("recompute_modules names mhc, but enable_mhc_connections is off")
                .keys({"model.recompute_modules", "model.enable_mhc_connections"})
                .fix(Fix::Safety::kSafe, "take mhc out", without_module(facts, "mhc"));
          },
  };
}

}  // namespace spillway::validate::rules
