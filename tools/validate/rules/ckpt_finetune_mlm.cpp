#include "tools/validate/checkpoints.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/peft.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_finetune_mlm() {
  return {
      .code = "CKPT-FINETUNE-MLM",
      .summary = "weights loaded without optimizer state leave stale fp32 masters behind",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .what =
          "optimizer_cpu_offload is on with the distributed optimizer and without the precision-aware one, training is in 16 bits, and the "
          "run starts from weights that come without optimizer state: pretrained_checkpoint, finetune, or load_optim off.",
      .why =
          "The hybrid optimizer made its fp32 masters from the weights as they were initialised. What refreshes them after a load has "
          "nothing to go by in this mode, so the loss is normal at the first iteration and that of a random model afterwards; every "
          "checkpoint saved since is ruined. Reported upstream. Megatron-Bridge refreshes them itself since 2026 and then logs `Synced "
          "HybridDeviceOptimizer FP32 master copies`. Adapters (PEFT) are not affected.",
      .remedy =
          "Use the precision-aware optimizer, a Megatron-Bridge that logs the refresh, or no optimizer offload for the fine-tuning run. A "
          "run that went past its first step has to start again.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py",
                   "_copy_model_params_to_main_params: HybridDeviceOptimizer only calls update_fp32_param_by_new_param"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.on("optimizer.use_precision_aware_optimizer")) return;
            if (!offloads_sharded(facts) || (facts.off("optimizer.bf16") && facts.off("optimizer.fp16"))) return;
            if (!loads_weights_only(facts) || uses_peft(facts)) return;
            report
                .add(
                    "the weights come without optimizer state, and the fp32 masters that optimizer_cpu_offload (HybridDeviceOptimizer) "
                    "keeps stay at their random initial values unless this version refreshes them after the load; the first step then "
                    "writes them over the loaded weights")
                .keys({"optimizer.optimizer_cpu_offload", "checkpoint.pretrained_checkpoint", "checkpoint.load_optim",
                       "checkpoint.finetune", "optimizer.use_precision_aware_optimizer"})
                .fix(Fix::Safety::kUnsafe, "use the precision-aware optimizer", {set("optimizer.use_precision_aware_optimizer", true)})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {switch_off(facts, "optimizer.optimizer_cpu_offload")});
          },
  };
}

}  // namespace spillway::validate::rules
