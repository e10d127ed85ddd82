#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_cg() {
  return {
      .code = "CSO-CG",
      .summary = "the chunked offload cannot be captured",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 449, "AssertionError",
                  "chunked optimizer state offload does not support optimizer CUDA graphs"}},
      .what = "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, and optimizer_cuda_graph are both on.",
      .why = "The configuration is refused.",
      .remedy = "Switch the optimizer's graph off.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"chunked optimizer state offload does not support optimizer CUDA graphs\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.on("optimizer.optimizer_cuda_graph"))) return;
            report.add("optimizer_cuda_graph is on with the chunked optimizer-state offload")
                .keys({"optimizer.chunked_optimizer_state_offload", "optimizer.optimizer_cuda_graph"})
                .fix(Fix::Safety::kDisplayOnly, "step without a CUDA graph", {switch_off(facts, "optimizer.optimizer_cuda_graph")})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")});
          },
  };
}

}  // namespace spillway::validate::rules
