#include "tools/validate/checkpoints.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_sgd() {
  return {
      .code = "CKPT-SGD",
      .summary = "sgd under optimizer offload cannot be saved as fully reshardable",
      .raises = {{Place::kSave, 1, "KeyError", "'exp_avg'"}},
      .what = "optimizer_cpu_offload with optimizer=sgd, and checkpoints with dist_ckpt_optim_fully_reshardable.",
      .why = "Saving reads Adam's moments from the state by name and ends in a KeyError. By reading the code.",
      .remedy = "Train with adam, or save in the default layout.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py", "fully_reshardable state: tensors = {'param', 'exp_avg', 'exp_avg_sq'}"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_sharded(facts) || !facts.is("optimizer.optimizer", "sgd")) return;
            if (optimizer_layout(facts) != "fully_reshardable" || facts.off("checkpoint.save") || facts.off("checkpoint.save_optim"))
              return;
            report.add("sgd keeps no exp_avg, which saving the offloaded optimizer as fully reshardable asks for")
                .keys({"optimizer.optimizer", "checkpoint.dist_ckpt_optim_fully_reshardable", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "save in the default layout",
                     {switch_off(facts, "checkpoint.dist_ckpt_optim_fully_reshardable")})
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")});
          },
  };
}

}  // namespace spillway::validate::rules
