#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_pa_required() {
  return {
      .code = "OPT-PA-REQUIRED",
      .summary = "Megatron-LM offloads the optimizer only together with the precision-aware optimizer",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kValidateArgs, 1885, "AssertionError",
                  "The optimizer cpu offload must be used in conjunction with `--use-precision-aware-optimizer`, as the hybrid device "
                  "optimizer reuses the code path of this flag."}},
      .what =
          "Megatron-LM is started with --optimizer-cpu-offload but without --use-precision-aware-optimizer. Megatron-Bridge, --yaml-cfg "
          "and plain Megatron-Core do not ask for it.",
      .why = "The arguments are refused before anything is built: the hybrid optimizer reuses the code path of the precision-aware one.",
      .remedy = "Add --use-precision-aware-optimizer. It needs --optimizer adam and --use-distributed-optimizer in turn.",
      .evidence = {"megatron/training/arguments.py", "if args.optimizer_cpu_offload: assert args.use_precision_aware_optimizer"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.on("optimizer.use_precision_aware_optimizer")) return;
            auto draft = report.add("--optimizer-cpu-offload needs --use-precision-aware-optimizer in Megatron-LM");
            draft.keys({"optimizer.use_precision_aware_optimizer", "optimizer.optimizer_cpu_offload"});
            if (!facts.is("optimizer.optimizer", "adam")) {
              draft.fix(Fix::Safety::kDisplayOnly, "train with adam: the precision-aware optimizer has no other",
                        {set("optimizer.optimizer", "adam"), set("optimizer.use_precision_aware_optimizer", true),
                         set("optimizer.use_distributed_optimizer", true)});
            } else if (facts.on("optimizer.use_distributed_optimizer")) {
              draft.fix(Fix::Safety::kSafe, "use the precision-aware optimizer", {set("optimizer.use_precision_aware_optimizer", true)});
            } else {
              draft.fix(Fix::Safety::kUnsafe, "use the precision-aware optimizer and the distributed optimizer it needs",
                        {set("optimizer.use_precision_aware_optimizer", true), set("optimizer.use_distributed_optimizer", true)});
            }
            draft.fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {remove("optimizer.optimizer_cpu_offload")});
          },
  };
}

}  // namespace spillway::validate::rules
