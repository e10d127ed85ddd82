#include <string>

#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_opt() {
  return {
      .code = "CSO-OPT",
      .summary = "the chunked offload is for adam and muon",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 441, "AssertionError", "chunked optimizer state offload currently supports Adam and Muon"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on and the optimizer is neither adam nor muon.",
      .why = "The configuration is refused.",
      .remedy = "Use one of the two, or no offload of the states.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"chunked optimizer state offload currently supports Adam and Muon\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(!facts.is("optimizer.optimizer", "adam") && !is_muon(facts))) return;
            report
                .add("the chunked optimizer-state offload works with adam and muon, and optimizer is " +
                     std::string(facts.text("optimizer.optimizer")))
                .keys({"optimizer.optimizer", "optimizer.chunked_optimizer_state_offload"})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")});
          },
  };
}

}  // namespace spillway::validate::rules
