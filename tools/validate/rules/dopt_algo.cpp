#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dopt_algo() {
  return {
      .code = "DOPT-ALGO",
      .summary = "the distributed optimizer does not take sgd",
      .stage = Stage::kBuild,
      .raises = {{.place = Place::kBuildOptimizer,
                  .sequence = 1688,
                  .type = "AssertionError",
                  .text = "Only Adam, HybridDeviceOptimizer, and optimizers with an init_state_fn (e.g., Lion) are currently supported, "
                          "due to checkpointing requirements.",
                  .since = Core::kBridgePin}},
      .what = "use_distributed_optimizer is on with sgd and without optimizer offload. With the offload the hybrid optimizer passes.",
      .why = "The distributed optimizer must know how to make empty state for a checkpoint; the run stops when the optimizer is built.",
      .remedy = "Use adam, or switch the distributed optimizer off.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py",
                   "assert isinstance(optimizer, (Adam, HybridDeviceOptimizer)) or init_state_fn is not None"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("optimizer.optimizer", "sgd") || facts.on("optimizer.optimizer_cpu_offload")) return;
            if (facts.off("optimizer.use_distributed_optimizer")) return;
            std::vector<Edit> without{set("optimizer.use_distributed_optimizer", false)};
            if (facts.raw("ddp.use_distributed_optimizer").truthy()) without.push_back(set("ddp.use_distributed_optimizer", false));
            report.add("the distributed optimizer does not take sgd (unless it is offloaded)")
                .keys({"optimizer.optimizer", "optimizer.use_distributed_optimizer", "ddp.use_distributed_optimizer"})
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")})
                .fix(Fix::Safety::kDisplayOnly, "do without the distributed optimizer", std::move(without));
          },
  };
}

}  // namespace spillway::validate::rules
