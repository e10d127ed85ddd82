#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_affinity() {
  return {
      .code = "FGO-AFFINITY",
      .summary = "fine-grained offload binds each process to its GPU's cores, and needs cuda-python for it",
      .severity = Severity::kInfo,
      .stage = Stage::kBuild,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_16,
      .what = "fine_grained_activation_offloading is on in Megatron-LM's or Bridge's own training loop.",
      .why =
          "At start the launcher binds the process to the cores near its GPU. Without the cuda-python package that stops the run "
          "(RuntimeError: Please install cuda-python to enable GPU affinity setting), pynvml is needed too, and it overrides numactl and "
          "taskset.",
      .remedy = "Have cuda-python and pynvml in the image; do not rely on a binding made by the launch script.",
      .evidence = {"megatron/core/pipeline_parallel/utils.py",
                   "set_ideal_affinity_for_current_gpu, called when fine_grained_activation_offloading is on"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            report.add("fine-grained offload needs the cuda-python and pynvml packages at start, and overrides numactl/taskset binding")
                .keys({"model.fine_grained_activation_offloading"});
          },
  };
}

}  // namespace spillway::validate::rules
