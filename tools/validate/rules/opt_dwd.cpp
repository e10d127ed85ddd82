#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_dwd() {
  return {
      .code = "OPT-DWD",
      .summary = "optimizer offload needs decoupled weight decay",
      .raises = {{Place::kBuildOptimizer, 510, "AssertionError",
                  "CPU offloading only supported with decoupled_weight_decay enabled (AdamW mode)."}},
      .what =
          "optimizer_cpu_offload is on and decoupled_weight_decay is off. Megatron-LM has no option for the latter, so only configurations "
          "written in Python, YAML or JSON can get here.",
      .why = "The hybrid optimizer knows AdamW only and is refused when it is built, on every rank that has trainable parameters.",
      .remedy = "Leave decoupled_weight_decay on (its default).",
      .evidence = {"megatron/core/optimizer/__init__.py", "assert config.decoupled_weight_decay"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.on("optimizer.decoupled_weight_decay")) return;
            report.add("optimizer offload works with decoupled weight decay (AdamW) only, and decoupled_weight_decay is off")
                .keys({"optimizer.decoupled_weight_decay", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "use decoupled weight decay", {set("optimizer.decoupled_weight_decay", true)})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
