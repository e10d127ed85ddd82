#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_fr_mem() {
  return {
      .code = "CKPT-FR-MEM",
      .summary = "the memory-efficient fully reshardable save is refused by this Bridge",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1407, "AssertionError",
                  "distrib_optim_fully_reshardable_mem_efficient requires use_gloo_process_groups"}},
      .what = "distrib_optim_fully_reshardable_mem_efficient is on together with dist_ckpt_optim_fully_reshardable.",
      .why =
          "The way needs gloo process groups. This Bridge checks it within the checkpoint section, which knows nothing of "
          "dist.use_gloo_process_groups, and refuses the combination whatever that says.",
      .remedy = "Switch distrib_optim_fully_reshardable_mem_efficient off.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "if self.dist_ckpt_optim_fully_reshardable: assert not self.distrib_optim_fully_reshardable_mem_efficient"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("checkpoint.dist_ckpt_optim_fully_reshardable") ||
                facts.off("checkpoint.distrib_optim_fully_reshardable_mem_efficient"))
              return;
            report.add("distrib_optim_fully_reshardable_mem_efficient is refused together with dist_ckpt_optim_fully_reshardable")
                .keys({"checkpoint.distrib_optim_fully_reshardable_mem_efficient", "checkpoint.dist_ckpt_optim_fully_reshardable"})
                .fix(Fix::Safety::kUnsafe, "save without the memory-efficient way",
                     {set("checkpoint.distrib_optim_fully_reshardable_mem_efficient", false)});
          },
  };
}

}  // namespace spillway::validate::rules
