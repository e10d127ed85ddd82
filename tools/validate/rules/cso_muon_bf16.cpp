#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_muon_bf16() {
  return {
      .code = "CSO-MUON-BF16",
      .summary = "the chunked offload of muon needs bf16",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 469, "AssertionError", "Muon optimizer state offload currently requires bf16"}},
      .what = "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with muon, and training is not in bf16.",
      .why = "The configuration is refused.",
      .remedy = "Train in bf16, or without the offload.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "assert ..., \"Muon optimizer state offload currently requires bf16\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(is_muon(facts) && facts.off("optimizer.bf16"))) return;
            report.add("the chunked optimizer-state offload of muon needs bf16 training")
                .keys({"optimizer.bf16", "optimizer.optimizer"})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")});
          },
  };
}

}  // namespace spillway::validate::rules
