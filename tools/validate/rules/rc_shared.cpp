#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule rc_shared() {
  return {
      .code = "RC-SHARED",
      .summary = "recomputing shared experts excludes overlapping them with communication",
      .raises = {{Place::kTransformerConfig, 1996, "ValueError", "shared_experts recompute cannot work with --moe-shared-expert-overlap."}},
      .what =
          "Selective recompute names shared_experts in a model that has shared experts (moe_shared_expert_intermediate_size) and overlaps "
          "them (moe_shared_expert_overlap).",
      .why =
          "The overlapped form is cut into steps between the communication calls and cannot be run again as one. Megatron-Core refuses "
          "that when the model configuration is built.",
      .remedy = "Switch moe_shared_expert_overlap off, or take shared_experts out of recompute_modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"shared_experts\" in self.recompute_modules: if self.moe_shared_expert_intermediate_size is not None and "
                   "self.moe_shared_expert_overlap:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective") || !facts.lists("model.recompute_modules", "shared_experts")) return;
            if (facts.off("model.moe_shared_expert_overlap") || facts.is_null("model.moe_shared_expert_intermediate_size")) return;
            report.add("shared_experts cannot be recomputed while moe_shared_expert_overlap is on")
                .keys({"model.recompute_modules", "model.moe_shared_expert_overlap"})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap the shared experts", {switch_off(facts, "model.moe_shared_expert_overlap")})
                .fix(Fix::Safety::kDisplayOnly, "do not recompute the shared experts", without_module(facts, "shared_experts"));
          },
  };
}

}  // namespace spillway::validate::rules
