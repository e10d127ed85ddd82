#include "tools/validate/checkpoints.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_toggle() {
  return {
      .code = "CKPT-TOGGLE",
      .summary = "optimizer offload cannot be switched over a checkpoint of the precision-aware optimizer",
      .severity = Severity::kError,
      .stage = Stage::kLoad,
      .what =
          "Both runs use the precision-aware optimizer, and optimizer_cpu_offload differs between the one that saved and the one that "
          "loads.",
      .why =
          "Without offload the precision-aware optimizer stores, in bf16 training, what the weights lack as 16-bit integers "
          "(store_param_remainders); with offload it stores fp32 masters. The types do not fit on load. By reading the code.",
      .remedy = "Keep the switch as it was, save with store_param_remainders off, or load without optimizer state.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py",
                   "store_param_remainders applies to the fused optimizer only; HybridDeviceOptimizer keeps master_param"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.use_precision_aware_optimizer")) return;
            // Nothing to compare in a run that has nothing to do with offload.
            if (facts.saved() == nullptr && facts.off("optimizer.optimizer_cpu_offload")) return;
            const Facts* saved = loaded_run(facts);
            if (saved == nullptr) return;
            const bool now = facts.on("optimizer.optimizer_cpu_offload");
            if (now == saved->on("optimizer.optimizer_cpu_offload") || saved->off("optimizer.use_precision_aware_optimizer")) return;
            const Facts& on_gpu = now ? *saved : facts;
            if (on_gpu.off("optimizer.store_param_remainders") || on_gpu.off("optimizer.bf16")) return;
            report
                .add(std::string("optimizer_cpu_offload was ") + (now ? "off" : "on") + " when the checkpoint was saved and is " +
                     (now ? "on" : "off") +
                     " now: one keeps fp32 masters and the other 16-bit remainders, which do not load into each other")
                .keys({"optimizer.optimizer_cpu_offload", "optimizer.use_precision_aware_optimizer", "checkpoint.load_optim"})
                .fix(Fix::Safety::kDisplayOnly, "load the weights alone and start the optimizer afresh",
                     {set("checkpoint.load_optim", false)})
                .fix(Fix::Safety::kDisplayOnly,
                     std::string("leave optimizer offload ") + (now ? "off" : "on") + " as in the run that saved",
                     {now ? switch_off(facts, "optimizer.optimizer_cpu_offload") : set("optimizer.optimizer_cpu_offload", true)});
          },
  };
}

}  // namespace spillway::validate::rules
