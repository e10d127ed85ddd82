#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_fc1_delayed_fp8() {
  return {
      .code = "FGO-FC1-DELAYED-FP8",
      .summary = "expert_fc1 cannot be offloaded with delayed fp8 scaling",
      .stage = Stage::kForward,
      .since = Core::kBridgePin,
      .raises = {{Place::kForward, 679, "ValueError", "DelayedScaling recipe is not supported with save_original_input"}},
      .what =
          "fine_grained_activation_offloading names expert_fc1 for grouped experts and the model trains in fp8 with the delayed recipe, "
          "which is the default of Megatron-LM's --fp8-recipe.",
      .why =
          "Offloading expert_fc1 makes the GEMM keep its original input, and Transformer Engine's grouped linear refuses that with delayed "
          "scaling in the first forward pass.",
      .remedy = "Use another fp8 recipe (tensorwise, blockwise, mxfp8), or offload moe_act instead.",
      .evidence = {"transformer_engine/pytorch/module/grouped_linear.py",
                   "if save_original_input and the recipe is delayed: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_fine(facts, "expert_fc1") || facts.off("model.fp8")) return;
            if (!facts.is("model.fp8_recipe", "delayed") || !has_grouped_experts(facts)) return;
            report.add("expert_fc1 is offloaded while fp8 uses delayed scaling, which Transformer Engine refuses in the first forward pass")
                .keys({"model.offload_modules", "model.fp8_recipe", "mixed_precision.fp8_recipe", "model.fp8"})
                .fix(Fix::Safety::kDisplayOnly, "do not offload expert_fc1", without_offload_of(facts, {"expert_fc1"}));
          },
  };
}

}  // namespace spillway::validate::rules
