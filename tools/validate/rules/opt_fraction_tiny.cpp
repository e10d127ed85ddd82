#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fraction_tiny() {
  return {
      .code = "OPT-FRACTION-TINY",
      .summary = "a small fraction still moves at least one whole tensor per optimizer instance",
      .severity = Severity::kInfo,
      .stage = Stage::kBuild,
      .what = "optimizer_cpu_offload is on with a fraction above 0 and below 0.1.",
      .why =
          "Parameters are taken whole, in order, until the fraction of the total is reached, so the last one overshoots. A single large "
          "tensor, such as the embedding or fused experts, may be far more than the fraction; dense and expert parameters each have an "
          "instance of their own.",
      .remedy = "Estimate the effective share, or choose a larger fraction.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "if offloaded_params_numel < offload_threshold: offload this parameter"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_part(facts) || offloaded_share(facts).value_or(1) >= 0.1) return;
            report
                .add("optimizer_offload_fraction " + fraction_text(facts) +
                     " is a lower bound: tensors are offloaded whole, so one large tensor can exceed it")
                .keys({"optimizer.optimizer_offload_fraction"});
          },
  };
}

}  // namespace spillway::validate::rules
