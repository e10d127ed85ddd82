#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_opt_combine() {
  return {
      .code = "FGO-OPT-COMBINE",
      .summary = "fine-grained offload and optimizer offload add up on the host",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .since = Core::k0_16,
      .what = "fine_grained_activation_offloading and optimizer_cpu_offload are both on.",
      .why =
          "Nothing stands against the pair, nor against pipelines, expert parallelism, FSDP or selective recompute beside it. Both keep "
          "page-locked host memory on every rank and share the link to the GPU.",
      .remedy = "Add both host needs up for all ranks of the node; `estimate` gives the sum.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "no check of fine_grained_activation_offloading looks at the optimizer"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.off("optimizer.optimizer_cpu_offload")) return;
            report.add("fine-grained offload and optimizer offload are both on: allowed, their host memory adds up")
                .keys({"model.fine_grained_activation_offloading", "optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
