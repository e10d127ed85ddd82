#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_fused_mlp_opfuser() {
  return {
      .code = "FGO-FUSED-MLP-OPFUSER",
      .summary = "offloading fused_group_mlp needs Transformer Engine's operation fuser",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 2188, "ValueError", "fused_group_mlp requires use_transformer_engine_op_fuser."}},
      .what =
          "fine_grained_activation_offloading is on and offload_modules has fused_group_mlp, but use_transformer_engine_op_fuser is off.",
      .why =
          "Only the operation fuser builds the fused grouped MLP that this module name stands for. Megatron-Core refuses the list when the "
          "model "
          "configuration is built.",
      .remedy = "Switch use_transformer_engine_op_fuser on, or offload expert_fc1 and moe_act instead.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"fused_group_mlp\" in self.offload_modules: if not self.use_transformer_engine_op_fuser:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            if (!facts.offloads("fused_group_mlp") || facts.on("model.use_transformer_engine_op_fuser")) return;
            report.add("offload_modules has fused_group_mlp but use_transformer_engine_op_fuser is off")
                .keys({"model.offload_modules", "model.use_transformer_engine_op_fuser"})
                .fix(Fix::Safety::kDisplayOnly, "switch the operation fuser on", {set("model.use_transformer_engine_op_fuser", true)})
                .fix(Fix::Safety::kDisplayOnly, "offload the expert activation instead",
                     {set("model.offload_modules",
                          with(without(facts.strings("model.offload_modules"), {"fused_group_mlp", "moe_act"}), "moe_act"))});
          },
  };
}

}  // namespace spillway::validate::rules
