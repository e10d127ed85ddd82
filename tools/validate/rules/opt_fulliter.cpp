#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fulliter() {
  return {
      .code = "OPT-FULLITER",
      .summary = "a full-iteration graph leaves the offloaded optimizer step outside",
      .severity = Severity::kInfo,
      .stage = Stage::kStep,
      .what = "The CUDA graph spans the full iteration and optimizer_cpu_offload is on.",
      .why =
          "The graph captures forward and backward; the step runs outside unless optimizer_cuda_graph is on. So the code does not "
          "exclude the combination, but upstream does not test it.",
      .remedy = "Try a few steps before relying on it.",
      .evidence = {"megatron/core/full_cuda_graph.py", "the captured function is forward_backward_func"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.graphs().whole_iteration || facts.off("optimizer.optimizer_cpu_offload")) return;
            report
                .add(
                    "the full-iteration graph captures forward and backward only, so the offloaded step runs outside it; upstream does not "
                    "test the combination")
                .keys({"model.cuda_graph_impl", "optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
