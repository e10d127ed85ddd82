#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_local_fr() {
  return {
      .code = "CKPT-LOCAL-FR",
      .summary = "local checkpoints cannot be fully reshardable",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kSave, 983, "RuntimeError",
                  "Local checkpointing does not support optimizer sharding type '{}'. Don't use '--dist-ckpt-optim-fully-reshardable' "
                  "when saving local checkpoints."}},
      .what = "Non-persistent checkpoints of type local, together with dist_ckpt_optim_fully_reshardable.",
      .why = "The first local save stops.",
      .remedy = "Drop one of the two.",
      .evidence = {"megatron/training/checkpointing.py",
                   "if ckpt_type == LOCAL and sharding type not in the formats that local checkpoints can hold: raise RuntimeError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("checkpoint.dist_ckpt_optim_fully_reshardable") || !facts.is("checkpoint.non_persistent_ckpt_type", "local"))
              return;
            if (facts.off("checkpoint.non_persistent_save_interval") || facts.off("optimizer.use_distributed_optimizer")) return;
            report.add("local (non-persistent) checkpoints cannot be saved with --dist-ckpt-optim-fully-reshardable")
                .keys({"checkpoint.dist_ckpt_optim_fully_reshardable", "checkpoint.non_persistent_ckpt_type"})
                .with({"fully_reshardable"})
                .fix(Fix::Safety::kUnsafe, "save in the default layout",
                     {switch_off(facts, "checkpoint.dist_ckpt_optim_fully_reshardable")})
                .fix(Fix::Safety::kDisplayOnly, "save non-persistent checkpoints globally",
                     {set("checkpoint.non_persistent_ckpt_type", "global")});
          },
  };
}

}  // namespace spillway::validate::rules
