#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_core_attn_recomputed() {
  return {
      .code = "FGO-CORE-ATTN-RECOMPUTED",
      .summary = "a recomputed attention core is not offloaded",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .since = Core::k0_16,
      .what =
          "fine_grained_activation_offloading names core_attn while selective recompute covers core_attn, which it does by default when "
          "recompute_modules is not given.",
      .why =
          "The checkpointed path of attention runs without the offload scope, so core_attn is recomputed and never offloaded; nothing says "
          "so.",
      .remedy = "Name recompute_modules without core_attn, or take core_attn (and attn_proj with it) out of offload_modules.",
      .evidence = {"megatron/core/transformer/attention.py",
                   "if self.checkpoint_core_attention: the checkpointed forward, else: the forward inside the core_attn offload scope"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_fine(facts, "core_attn") || !facts.recomputes("core_attn")) return;
            const bool by_default = facts.is_null("model.recompute_modules");
            report
                .add(std::string("core_attn in offload_modules has no effect: selective recompute covers it") +
                     (by_default ? " (recompute_modules is not given, and core_attn is its default)" : ""))
                .keys({"model.offload_modules", "model.recompute_modules", "model.recompute_granularity"})
                .fix(Fix::Safety::kUnsafe, "do not recompute core_attn", without_recompute_of(facts, "core_attn"));
          },
  };
}

}  // namespace spillway::validate::rules
