#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_rl_offload() {
  return {
      .code = "OPT-RL-OFFLOAD",
      .summary = "offloading the optimizer between rollouts undoes the optimizer offload",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .launchers = {Launcher::kMegatronLm},
      .what = "Megatron-LM reinforcement learning runs with --rl-offload-optimizer-during-inference and --optimizer-cpu-offload.",
      .why = "After each rollout every optimizer tensor is restored to the GPU, also those that belong on the host. By reading the code.",
      .remedy = "Use one of the two.",
      .evidence = {"megatron/core/optimizer/optimizer.py", "restore_from_cpu: every state tensor goes back to CUDA"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("args.rl_offload_optimizer_during_inference") || facts.off("optimizer.optimizer_cpu_offload")) return;
            report
                .add(
                    "--rl-offload-optimizer-during-inference brings the whole optimizer back to the GPU after each rollout, also what "
                    "--optimizer-cpu-offload had moved")
                .keys({"args.rl_offload_optimizer_during_inference", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "keep only the optimizer offload", {remove("args.rl_offload_optimizer_during_inference")})
                .fix(Fix::Safety::kDisplayOnly, "keep only the offload between rollouts", {remove("optimizer.optimizer_cpu_offload")});
          },
  };
}

}  // namespace spillway::validate::rules
