#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_moe_act() {
  return {
      .code = "RC-MOE-ACT",
      .summary = "recomputing moe_act needs moe_grouped_gemm",
      .raises = {{Place::kTransformerConfig, 1965, "ValueError", "moe_act in recompute_modules is only supported with moe_grouped_gemm."}},
      .what = "Selective recompute names moe_act while moe_grouped_gemm is off.",
      .why =
          "Megatron-Core refuses that when the model configuration is built: only the grouped experts can recompute their activation by "
          "itself.",
      .remedy = "Switch moe_grouped_gemm on, or take moe_act out of recompute_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"moe_act\" in self.recompute_modules and not self.moe_grouped_gemm:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective") || !facts.lists("model.recompute_modules", "moe_act")) return;
            if (facts.on("model.moe_grouped_gemm")) return;
            report.add("recompute_modules names moe_act, which needs moe_grouped_gemm")
                .keys({"model.recompute_modules", "model.moe_grouped_gemm"})
                .fix(Fix::Safety::kDisplayOnly, "use grouped GEMM", {set("model.moe_grouped_gemm", true)})
                .fix(Fix::Safety::kDisplayOnly, "do not recompute moe_act", without_module(facts, "moe_act"));
          },
  };
}

}  // namespace spillway::validate::rules
