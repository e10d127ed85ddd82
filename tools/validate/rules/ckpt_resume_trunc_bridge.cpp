#include "tools/validate/checkpoints.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_resume_trunc_bridge() {
  return {
      .code = "CKPT-RESUME-TRUNC-BRIDGE",
      .summary = "a resume rounds the offloaded fp32 masters to the weights once",
      .severity = Severity::kInfo,
      .stage = Stage::kLoad,
      .launchers = {Launcher::kBridge},
      .what = "Megatron-Bridge, optimizer_cpu_offload in 16-bit training, and the run resumes with its optimizer state.",
      .why =
          "After every load Bridge copies the model's weights into the hybrid optimizer's fp32 masters, also where the masters were in the "
          "checkpoint. The run goes on from rounded masters, which is not bit for bit what an unbroken run does. By reading the code.",
      .remedy = "Accept it, or keep runs unbroken.",
      .evidence = {"src/megatron/bridge/training/setup.py",
                   "sync_hybrid_device_optimizer_fp32_master_copies(optimizer) after load_checkpoint"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !loads_optimizer(facts)) return;
            if (facts.off("optimizer.bf16") && facts.off("optimizer.fp16")) return;
            report
                .add(
                    "each resume sets the fp32 masters of the offloaded optimizer to the 16-bit weights: their low bits are lost once per "
                    "restart")
                .keys({"optimizer.optimizer_cpu_offload", "checkpoint.load"});
          },
  };
}

}  // namespace spillway::validate::rules
