#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pao_mp_consistency() {
  return {
      .code = "PAO-MP-CONSISTENCY",
      .summary = "model and optimizer must agree on the training precision",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1505, "AssertionError",
                  "Model config cannot have both bf16=True and fp16=True. Please set only one precision mode."},
                 {Place::kBridge, 1505, "AssertionError",
                  "Optimizer config cannot have both bf16=True and fp16=True. Please set only one precision mode."},
                 {Place::kBridge, 1505, "AssertionError",
                  "optimizer.bf16=True must be set when model.bf16=True and use_precision_aware_optimizer=True."},
                 {Place::kBridge, 1505, "AssertionError",
                  "optimizer.fp16=True must be set when model.fp16=True and use_precision_aware_optimizer=True."},
                 {Place::kBridge, 1505, "AssertionError",
                  "optimizer.bf16 and optimizer.fp16 must both be False when model is using fp32 precision (model.bf16=False, "
                  "model.fp16=False) and use_precision_aware_optimizer=True."}},
      .what =
          "Megatron-Bridge: the model or the optimizer asks for bf16 and fp16 at once; or, with the precision-aware optimizer, "
          "optimizer.bf16 and optimizer.fp16 do not match the model.",
      .why = "The configuration is refused. It happens when mixed_precision is null or overridden and the sections are set one by one.",
      .remedy = "Set mixed_precision to one recipe, or the flags of both sections to the same precision.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "if optimizer.use_precision_aware_optimizer: assert optimizer.bf16 when model.bf16, optimizer.fp16 when model.fp16, "
                   "neither otherwise"},
      .check =
          [](const Facts& facts, Report& report) {
            const bool model_bf16 = facts.on("model.bf16"), model_fp16 = facts.on("model.fp16");
            const bool bf16 = facts.on("optimizer.bf16"), fp16 = facts.on("optimizer.fp16");
            const auto found = [&](std::size_t raise, const std::string& message) {
              auto draft = report.add(message);
              draft.keys({"optimizer.bf16", "optimizer.fp16", "model.bf16", "model.fp16"}).raise(raise);
              if (raise == 0) {
                draft.fix(Fix::Safety::kDisplayOnly, "train in bf16", {set("model.fp16", false)})
                    .fix(Fix::Safety::kDisplayOnly, "train in fp16", {set("model.bf16", false)});
                return;
              }
              draft.fix(Fix::Safety::kDisplayOnly, "set the optimizer to the precision of the model",
                        {set("optimizer.bf16", model_bf16), set("optimizer.fp16", model_fp16 && !model_bf16)});
            };
            if (model_bf16 && model_fp16) found(0, "model.bf16 and model.fp16 are both on");
            if (bf16 && fp16) found(1, "optimizer.bf16 and optimizer.fp16 are both on");
            if (facts.off("optimizer.use_precision_aware_optimizer")) return;
            if (model_bf16 && !bf16) found(2, "the model trains in bf16 but optimizer.bf16 is off, with the precision-aware optimizer on");
            if (model_fp16 && !fp16) found(3, "the model trains in fp16 but optimizer.fp16 is off, with the precision-aware optimizer on");
            if (!model_bf16 && !model_fp16 && (bf16 || fp16))
              found(4, "the model trains in fp32 but the optimizer is set to 16 bits, with the precision-aware optimizer on");
          },
  };
}

}  // namespace spillway::validate::rules
