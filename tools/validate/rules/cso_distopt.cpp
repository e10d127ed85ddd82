#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_distopt() {
  return {
      .code = "CSO-DISTOPT",
      .summary = "the chunked offload of adam needs the distributed optimizer",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 481, "AssertionError", "Adam optimizer state offload requires use_distributed_optimizer"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with adam and without the distributed "
          "optimizer.",
      .why = "The configuration is refused.",
      .remedy = "Switch use_distributed_optimizer on.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"Adam optimizer state offload requires use_distributed_optimizer\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.is("optimizer.optimizer", "adam") && facts.off("optimizer.use_distributed_optimizer"))) return;
            report.add("the chunked optimizer-state offload of adam needs use_distributed_optimizer")
                .keys({"optimizer.use_distributed_optimizer", "optimizer.chunked_optimizer_state_offload"})
                .fix(Fix::Safety::kUnsafe, "use the distributed optimizer", {set("optimizer.use_distributed_optimizer", true)});
          },
  };
}

}  // namespace spillway::validate::rules
