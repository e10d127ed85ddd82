#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// With these block formats the experts keep the quantized input. Before Bridge's pin any fp8 did.
bool keeps_quantized_input(const Facts& facts) {
  if (!facts.is_null("model.fp4")) return true;
  if (facts.is_null("model.fp8")) return false;
  return facts.core() < Core::kBridgePin || facts.is("model.fp8_recipe", "mxfp8");
}

}  // namespace

Rule fgo_fc1_save_original() {
  return {
      .code = "FGO-FC1-SAVE-ORIGINAL",
      .summary = "offloading expert_fc1 needs Transformer Engine 2.6",
      .stage = Stage::kBuild,
      .since = Core::k0_16,
      .raises = {{Place::kBuildModel, 250, "ValueError",
                  "set_save_original_input is only needed on transformer-engine modules that save quantized tensors by default. It needs "
                  "transformer-engine>=2.6.0dev0."}},
      .what =
          "fine_grained_activation_offloading names expert_fc1 for grouped experts that do not run in mxfp8 or nvfp4, and Transformer "
          "Engine is older than 2.6.",
      .why = "The first expert GEMM must keep its original input for the offload, which older versions cannot; building the model fails.",
      .remedy = "Use Transformer Engine 2.6 or newer, or offload moe_act instead.",
      .evidence = {"megatron/core/extensions/transformer_engine.py",
                   "set_save_original_input: if not is_te_min_version(\"2.6.0dev0\"): raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.te() >= Version{2, 6, 0, 0} || !offloads_fine(facts, "expert_fc1")) return;
            if (!has_grouped_experts(facts) || keeps_quantized_input(facts)) return;
            report.add("offloading expert_fc1 needs Transformer Engine 2.6.0, this is " + facts.te().str())
                .keys({"model.offload_modules", "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "do not offload expert_fc1", without_offload_of(facts, {"expert_fc1"}));
          },
  };
}

}  // namespace spillway::validate::rules
