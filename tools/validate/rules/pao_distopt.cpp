#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pao_distopt() {
  return {
      .code = "PAO-DISTOPT",
      .summary = "the precision-aware optimizer needs the distributed optimizer",
      .raises = {{Place::kOptimizerConfig,
                  437,
                  "AssertionError",
                  "--use-precision-aware-optimizer only supported with distributed optimizer",
                  {},
                  config::kOldestCore,
                  Core::kBridgePin},
                 {Place::kBuildOptimizer,
                  57,
                  "ValueError",
                  "--use-precision-aware-optimizer only supported with distributed optimizer",
                  {},
                  Core::kMain}},
      .what =
          "use_precision_aware_optimizer is on and the distributed optimizer is off. Up to the version that Megatron-Bridge pins, this is "
          "checked before Megatron-Bridge brings ddp and optimizer in line, so ddp.use_distributed_optimizer alone does not count. Later "
          "it is checked when the optimizer is built, for adam and sgd outside Megatron-FSDP v2.",
      .why = "The run is refused.",
      .remedy = "Switch optimizer.use_distributed_optimizer on.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "if self.use_precision_aware_optimizer: assert self.use_distributed_optimizer"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.use_precision_aware_optimizer")) return;
            const bool early = facts.core() < Core::kMain;
            const std::string_view key = "optimizer.use_distributed_optimizer";
            if (early && facts.bridge() ? facts.raw(key).truthy() : facts.on(key)) return;
            if (!early &&
                ((!facts.is("optimizer.optimizer", "adam") && !facts.is("optimizer.optimizer", "sgd")) || uses_megatron_fsdp_v2(facts)))
              return;
            const bool other = early && facts.bridge() && facts.raw("ddp.use_distributed_optimizer").truthy();
            report
                .add(std::string("use_precision_aware_optimizer needs use_distributed_optimizer") +
                     (other ? " in the optimizer section; the one under ddp is copied there only after the check" : ""))
                .keys({key, "optimizer.use_precision_aware_optimizer"})
                .fix(other ? Fix::Safety::kSafe : Fix::Safety::kUnsafe, "use the distributed optimizer", {set(key, true)});
          },
  };
}

}  // namespace spillway::validate::rules
