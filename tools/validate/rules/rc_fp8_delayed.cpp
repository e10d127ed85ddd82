#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_fp8_delayed() {
  return {
      .code = "RC-FP8-DELAYED",
      .summary = "fp8 with delayed scaling excludes recomputing moe_act and layernorm",
      .raises = {{Place::kTransformerConfig, 2003, "ValueError",
                  "Delayed scaling does not support moe_act and layernorm recompute for fp8."}},
      .what = "fp8 is on with fp8_recipe delayed, which is Megatron-Core's default, and selective recompute names moe_act or layernorm.",
      .why =
          "Delayed scaling keeps a history of maxima that running a part twice would falsify. Megatron-Core refuses that when the model "
          "configuration is built.",
      .remedy = "Use another fp8_recipe (tensorwise, blockwise, mxfp8), or take moe_act and layernorm out of recompute_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fp8: if \"moe_act\" in self.recompute_modules or \"layernorm\" in self.recompute_modules: if self.fp8_recipe "
                   "== 'delayed':"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective")) return;
            const bool moe_act = facts.lists("model.recompute_modules", "moe_act");
            if (!moe_act && !facts.lists("model.recompute_modules", "layernorm")) return;
            if (facts.off("model.fp8") || !facts.is("model.fp8_recipe", "delayed")) return;
            report.add(std::string(moe_act ? "moe_act" : "layernorm") + " cannot be recomputed in fp8 with delayed scaling (fp8_recipe)")
                .keys({"model.recompute_modules", "model.fp8_recipe", "model.fp8"})
                .fix(Fix::Safety::kDisplayOnly, "scale by the current tensor", {set("model.fp8_recipe", "tensorwise")})
                .fix(Fix::Safety::kDisplayOnly, "recompute other modules", without_module(facts, moe_act ? "moe_act" : "layernorm"));
          },
  };
}

}  // namespace spillway::validate::rules
