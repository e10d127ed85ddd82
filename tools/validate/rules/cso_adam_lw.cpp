#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_adam_lw() {
  return {
      .code = "CSO-ADAM-LW",
      .summary = "the chunked offload of adam does not go with the layer-wise optimizer",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 477, "AssertionError",
                  "Adam optimizer state offload does not support LayerWiseDistributedOptimizer"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with adam under the layer-wise distributed "
          "optimizer.",
      .why = "The configuration is refused.",
      .remedy = "Use the plain distributed optimizer.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"Adam optimizer state offload does not support LayerWiseDistributedOptimizer\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.is("optimizer.optimizer", "adam") && facts.on("optimizer.use_layer_wise_distributed_optimizer"))) return;
            report.add("the chunked optimizer-state offload of adam does not go with the layer-wise distributed optimizer")
                .keys({"optimizer.use_layer_wise_distributed_optimizer", "optimizer.optimizer"})
                .fix(Fix::Safety::kUnsafe, "use the plain distributed optimizer",
                     {set("optimizer.use_layer_wise_distributed_optimizer", false), set("optimizer.use_distributed_optimizer", true)});
          },
  };
}

}  // namespace spillway::validate::rules
