#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_transient_peak() {
  return {
      .code = "OPT-TRANSIENT-PEAK",
      .summary = "building the offloaded optimizer needs more host memory than running it",
      .severity = Severity::kInfo,
      .stage = Stage::kBuild,
      .what = "Optimizer offload moves something and the distributed optimizer is on.",
      .why =
          "The hybrid optimizer is built over the whole parameters of a rank first, and again over its data-parallel shard: for a moment "
          "the host holds 4 bytes (6 with the precision-aware optimizer) per offloaded parameter before sharding, on every rank of the "
          "node, and the GPU 4 bytes per parameter that stays.",
      .remedy = "Leave that room on the host, or start fewer ranks per node.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py", "the inner hybrid optimizer is created again from the shard groups"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts) || facts.off("optimizer.use_distributed_optimizer")) return;
            const bool precise = facts.on("optimizer.use_precision_aware_optimizer");
            report
                .add(
                    std::string("while the optimizer is built, each rank needs ") + (precise ? "6" : "4") +
                    " bytes of host memory per offloaded parameter before data-parallel sharding; afterwards 16 per parameter of its shard")
                .keys({"optimizer.optimizer_cpu_offload", "optimizer.optimizer_offload_fraction"});
          },
  };
}

}  // namespace spillway::validate::rules
