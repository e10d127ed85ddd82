#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_sgd_mlm() {
  return {
      .code = "OPT-SGD-MLM",
      .summary = "Megatron-LM has no way to offload sgd",
      .launchers = {Launcher::kMegatronLm},
      .what = "Megatron-LM is started with --optimizer sgd and --optimizer-cpu-offload.",
      .why =
          "The offload asks for the precision-aware optimizer, and that accepts adam only: one of the two checks always refuses the run.",
      .remedy =
          "Use adam, or drop the offload. Megatron-Bridge and plain Megatron-Core can offload sgd, without the precision-aware optimizer.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "if self.use_precision_aware_optimizer: assert self.optimizer == 'adam'"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !facts.is("optimizer.optimizer", "sgd")) return;
            auto draft =
                report.add("Megatron-LM cannot offload sgd: the offload needs the precision-aware optimizer, which accepts adam only");
            draft.keys({"optimizer.optimizer", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {remove("optimizer.optimizer_cpu_offload")});
            if (facts.on("optimizer.use_precision_aware_optimizer"))
              draft.natural("AssertionError", "--use-precision-aware-optimizer only supported with adam");
          },
  };
}

}  // namespace spillway::validate::rules
