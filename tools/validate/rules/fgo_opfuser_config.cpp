#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Why the fuser cannot build the experts; empty when it can as far as the configuration tells.
std::string obstacle(const Facts& facts) {
  const auto offloaded = facts.on("model.fine_grained_activation_offloading") ? common(facts.offload_modules(), {"expert_fc1", "moe_act"})
                                                                              : std::set<std::string>{};
  if (!offloaded.empty()) return "it cannot offload " + enumerated(offloaded) + " by themselves";
  if (facts.integer("model.expert_tensor_parallel_size", 1) > 1)
    return "experts are split by tensor parallelism (expert_tensor_parallel_size above 1)";
  if (facts.te() < Version{2, 14, 0}) return "it needs Transformer Engine 2.14.0, this is " + facts.te().str();
  return {};
}

}  // namespace

Rule fgo_opfuser_config() {
  return {
      .code = "FGO-OPFUSER-CONFIG",
      .summary = "Transformer Engine's operation fuser cannot build these experts",
      .stage = Stage::kBuild,
      .since = Core::k0_19,
      .raises = {{Place::kBuildModel, 290, "AssertionError", "Fused GroupedMLP is not supported for this configuration."}},
      .what =
          "use_transformer_engine_op_fuser is on for grouped experts, and fine-grained offload names expert_fc1 or moe_act, or the experts "
          "are split by tensor parallelism, or Transformer Engine is older than 2.14.",
      .why = "The fused experts are one unit without these parts; building the model fails.",
      .remedy = "Offload fused_group_mlp instead of its parts, set expert_tensor_parallel_size to 1, or switch the fuser off.",
      .evidence = {"megatron/core/transformer/moe/experts.py",
                   "if self.config.use_transformer_engine_op_fuser: assert self._is_fused_impl_supported()"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.use_transformer_engine_op_fuser") || !has_grouped_experts(facts)) return;
            const auto reason = obstacle(facts);
            if (reason.empty()) return;
            report.add("use_transformer_engine_op_fuser cannot fuse these experts: " + reason)
                .keys({"model.use_transformer_engine_op_fuser", "model.offload_modules", "model.expert_tensor_parallel_size"})
                .fix(Fix::Safety::kDisplayOnly, "switch the operation fuser off",
                     {switch_off(facts, "model.use_transformer_engine_op_fuser")});
          },
  };
}

}  // namespace spillway::validate::rules
