#include "tools/validate/checkpoints.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_fully_reshard_nopa() {
  return {
      .code = "CKPT-FULLY-RESHARD-NOPA",
      .summary = "a fully reshardable checkpoint of the offloaded optimizer needs the precision-aware one",
      .raises = {{Place::kLoad, 1225, "KeyError", "'step'"}},
      .what =
          "optimizer_cpu_offload without the precision-aware optimizer, and a checkpoint whose optimizer state is laid out by "
          "dist_ckpt_optim_fully_reshardable. An error where the run resumes from one, a warning where it only saves one.",
      .why =
          "The state that is to be filled has `step` and `master_param`, which the saved state has not: loading ends in a KeyError. By "
          "reading the code.",
      .remedy = "Use the precision-aware optimizer, or save in the default layout.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py", "for k in dst_tensors: dst_tensors[k].copy_(src_tensors[k])"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_sharded(facts) || facts.on("optimizer.use_precision_aware_optimizer")) return;
            const bool loads = loads_optimizer(facts) && optimizer_layout(writer(facts)) == "fully_reshardable";
            const bool saves = optimizer_layout(facts) == "fully_reshardable" && facts.on("checkpoint.save");
            if (!loads && !saves) return;
            auto draft =
                report.add(loads ? "the checkpoint's optimizer state is fully reshardable, which the offloaded optimizer can only read "
                                   "with use_precision_aware_optimizer"
                                 : "what this run saves as fully reshardable cannot be loaded again without use_precision_aware_optimizer");
            draft
                .keys({"optimizer.use_precision_aware_optimizer", "checkpoint.dist_ckpt_optim_fully_reshardable",
                       "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "use the precision-aware optimizer", {set("optimizer.use_precision_aware_optimizer", true)});
            if (facts.saved() == nullptr)
              draft.fix(Fix::Safety::kDisplayOnly, "save in the default layout",
                        {switch_off(facts, "checkpoint.dist_ckpt_optim_fully_reshardable")});
            if (!loads) draft.severity(Severity::kWarning);
          },
  };
}

}  // namespace spillway::validate::rules
