#include "tools/validate/checkpoints.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_step_reset() {
  return {
      .code = "CKPT-STEP-RESET",
      .summary = "the step count of the offloaded optimizer starts again at every resume",
      .severity = Severity::kWarning,
      .stage = Stage::kLoad,
      .what = "optimizer_cpu_offload with the distributed optimizer resumes from optimizer state in the default layout, dp_reshardable.",
      .why =
          "In this layout the step is saved as a local object of the rank and filled in from the fresh optimizer when it is loaded, so "
          "that Adam takes its first steps too large again. By reading the code; reported upstream.",
      .remedy = "Save with dist_ckpt_optim_fully_reshardable and the precision-aware optimizer.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py",
                   "the step of param_groups is a LocalNonpersistentObject under dp_reshardable"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_sharded(facts) || !loads_optimizer(facts)) return;
            if (optimizer_layout(writer(facts)) != "dp_reshardable") return;
            auto draft = report.add(
                "the optimizer state is laid out as dp_reshardable, which does not keep Adam's step: after the resume the bias correction "
                "of the offloaded optimizer starts again from step 1");
            draft.keys({"checkpoint.dist_ckpt_optim_fully_reshardable", "optimizer.optimizer_cpu_offload", "checkpoint.load"});
            if (facts.saved() == nullptr && facts.on("optimizer.use_precision_aware_optimizer"))
              draft.fix(Fix::Safety::kDisplayOnly, "save as fully reshardable; it helps once such a checkpoint is there",
                        {set("checkpoint.dist_ckpt_optim_fully_reshardable", true)});
          },
  };
}

}  // namespace spillway::validate::rules
