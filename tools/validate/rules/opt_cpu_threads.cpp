#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_cpu_threads() {
  return {
      .code = "OPT-CPU-THREADS",
      .summary = "one thread per rank starves the optimizer on the host",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .what = "Optimizer offload moves something, and OMP_NUM_THREADS is 1 or not set. torchrun sets it to 1 when it is not set.",
      .why =
          "Adam on the host is limited by the threads of the rank: with one thread the step takes most of the iteration, and no overlap "
          "hides it.",
      .remedy = "Set OMP_NUM_THREADS to the cores of the node divided by its ranks, and give the job those cores.",
      .evidence = {"torch/distributed/run.py", "OMP_NUM_THREADS is set to 1 for each process when it is not in the environment"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts)) return;
            const auto threads = facts.env("OMP_NUM_THREADS");
            if (threads && *threads != "1" && !threads->empty()) return;
            report
                .add(threads && *threads == "1" ? "OMP_NUM_THREADS is 1: the optimizer on the host runs on one thread per rank"
                                                : "OMP_NUM_THREADS is not set and torchrun then sets it to 1: the optimizer on the host "
                                                  "runs on one thread per rank")
                .keys({"env.OMP_NUM_THREADS", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "set OMP_NUM_THREADS to the cores of the node divided by its ranks");
          },
  };
}

}  // namespace spillway::validate::rules
