#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_cuda_graph() {
  return {
      .code = "OPT-CUDA-GRAPH",
      .summary = "the optimizer step cannot be captured in a CUDA graph while it is offloaded",
      .stage = Stage::kStep,
      .since = Core::k0_17,
      .what = "optimizer_cuda_graph and optimizer_cpu_offload are both on. Graphs of the model are no obstacle.",
      .why =
          "The offloaded step waits for events on the host, computes there and allocates pinned memory, none of which can be captured. "
          "Nothing checks the combination. By reading the code.",
      .remedy = "Switch optimizer_cuda_graph off.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "step: event.synchronize(), CPU optimizer steps and pinned allocations"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cuda_graph") || facts.off("optimizer.optimizer_cpu_offload")) return;
            report.add("optimizer_cuda_graph cannot capture a step that runs on the host: use it without optimizer_cpu_offload")
                .keys({"optimizer.optimizer_cuda_graph", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "do not capture the optimizer", {set("optimizer.optimizer_cuda_graph", false)})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
