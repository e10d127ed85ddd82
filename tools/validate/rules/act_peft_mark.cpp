#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_peft_mark() {
  return {
      .code = "ACT-PEFT-MARK",
      .summary = "LoRA marks its tensors for the older offload path",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .launchers = {Launcher::kBridge},
      .what =
          "cpu_offloading with activations is on under LoRA in Megatron-Bridge, and Transformer Engine runs its older offload path (before "
          "2.10, or NVTE_CPU_OFFLOAD_V1=1).",
      .why =
          "That path moves only marked tensors. Megatron-Bridge marks the adapters' inputs and intermediate results, so they do leave the "
          "GPU; the present path ignores marks.",
      .remedy = "Nothing to do.",
      .evidence = {"src/megatron/bridge/peft/utils.py",
                   "if self.config.cpu_offloading and self.config.cpu_offloading_activations: x.activation_offloading = True"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || !facts.given("peft.target_modules") || facts.off("model.cpu_offloading_activations"))
              return;
            if (!offload_path_is_v1(facts)) return;
            report.add("LoRA's inputs and intermediate results are marked and leave the GPU on Transformer Engine's older offload path")
                .keys({"peft.target_modules", "model.cpu_offloading"});
          },
  };
}

}  // namespace spillway::validate::rules
