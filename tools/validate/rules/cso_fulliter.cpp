#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_fulliter() {
  return {
      .code = "CSO-FULLITER",
      .summary = "the chunked offload does not go with full-iteration graphs",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::kDev,
      .raises = {{Place::kValidateArgs, 2067, "AssertionError",
                  "chunked optimizer state offload does not support full-iteration CUDA graphs"}},
      .what = "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on under a full-iteration CUDA graph.",
      .why = "Megatron-LM refuses it.",
      .remedy = "Capture layers or modules, or leave the states on the GPU.",
      .evidence = {"megatron/training/arguments.py",
                   "assert ..., \"chunked optimizer state offload does not support full-iteration CUDA graphs\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.graphs().whole_iteration)) return;
            report.add("a full-iteration CUDA graph is asked for with the chunked optimizer-state offload")
                .keys({"optimizer.chunked_optimizer_state_offload", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")});
          },
  };
}

}  // namespace spillway::validate::rules
