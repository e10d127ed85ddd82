#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

std::string_view reason_of(const Facts& facts) {
  if (facts.integer("model.num_moe_experts") <= 0) return "the model has no experts (num_moe_experts is not set)";
  if (facts.on("model.moe_grouped_gemm")) return "moe_use_legacy_grouped_gemm is on";
  return facts.given("model.moe_grouped_gemm") ? "moe_grouped_gemm is off" : "moe_grouped_gemm is not set, and off by default";
}

}  // namespace

Rule fgo_moe_noop() {
  return {
      .code = "FGO-MOE-NOOP",
      .summary = "expert modules are offloaded only with grouped experts",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .since = Core::k0_16,
      .what =
          "fine_grained_activation_offloading names expert_fc1, moe_act or fused_group_mlp, but the model is dense, or moe_grouped_gemm is "
          "off, or the legacy grouped GEMM is used.",
      .why =
          "Only the grouped experts of Transformer Engine have these offload scopes. Elsewhere the names are accepted and nothing is "
          "offloaded.",
      .remedy = "Switch moe_grouped_gemm on; in a dense model offload attention modules instead.",
      .evidence = {"megatron/core/transformer/moe/experts.py",
                   "class TEGroupedMLP: self.offload_expert_fc1 = … \"expert_fc1\" in self.config.offload_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto named = offloaded_in_experts(facts);
            if (named.empty() || has_grouped_experts(facts)) return;
            const bool dense = facts.integer("model.num_moe_experts") <= 0;
            auto finding = report.add(enumerated(named) + " in offload_modules offloads nothing: " + std::string(reason_of(facts)));
            finding.keys({"model.offload_modules", "model.moe_grouped_gemm", "model.num_moe_experts"});
            if (!dense && facts.off("model.moe_grouped_gemm"))
              finding.fix(Fix::Safety::kUnsafe, "group the experts' GEMMs", {set("model.moe_grouped_gemm", true)});
            finding.fix(dense ? Fix::Safety::kSafe : Fix::Safety::kDisplayOnly, "take them out of offload_modules",
                        without_offload_of(facts, named));
          },
  };
}

}  // namespace spillway::validate::rules
