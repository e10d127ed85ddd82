#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_muon_lw() {
  return {
      .code = "CSO-MUON-LW",
      .summary = "the chunked offload of muon needs the layer-wise distributed optimizer",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kValidateArgs,
                  1868,
                  "AssertionError",
                  "Muon optimizer state offload requires the LayerWise distributed optimizer (--use-distributed-optimizer) so non-Muon "
                  "parameter groups are routed through a sibling DistributedOptimizer",
                  {Launcher::kMegatronLm}},
                 {Place::kOptimizerConfig, 465, "AssertionError", "Muon optimizer state offload requires LayerWiseDistributedOptimizer"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with muon and without the layer-wise "
          "distributed optimizer. Megatron-LM chooses that when use_distributed_optimizer is on.",
      .why = "The configuration is refused: what Muon does not train goes through a distributed optimizer beside it.",
      .remedy = "Switch use_distributed_optimizer on.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"Muon optimizer state offload requires LayerWiseDistributedOptimizer\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!is_muon(facts)) return;
            // Megatron-LM turns the distributed optimizer into the layer-wise one for muon, so what was written counts.
            const bool layer_wise = facts.megatron_lm() ? facts.raw("optimizer.use_distributed_optimizer").truthy()
                                                        : facts.on("optimizer.use_layer_wise_distributed_optimizer");
            if (layer_wise) return;
            report.add("the chunked optimizer-state offload of muon needs the layer-wise distributed optimizer")
                .keys({"optimizer.use_layer_wise_distributed_optimizer", "optimizer.use_distributed_optimizer", "optimizer.optimizer"})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")});
          },
  };
}

}  // namespace spillway::validate::rules
