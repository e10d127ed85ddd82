#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_excl() {
  return {
      .code = "CSO-EXCL",
      .summary = "the two ways to offload the optimizer exclude each other",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 445, "AssertionError",
                  "chunked_optimizer_state_offload and optimizer_cpu_offload are mutually exclusive"}},
      .what = "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, and optimizer_cpu_offload are both on.",
      .why =
          "The configuration is refused. The one keeps the step on the GPU and brings the state there in chunks, the other takes the step "
          "on the host.",
      .remedy = "Choose one.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"chunked_optimizer_state_offload and optimizer_cpu_offload are mutually exclusive\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.on("optimizer.optimizer_cpu_offload"))) return;
            report.add("chunked_optimizer_state_offload and optimizer_cpu_offload are both on")
                .keys({"optimizer.chunked_optimizer_state_offload", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")})
                .fix(Fix::Safety::kDisplayOnly, "switch optimizer_cpu_offload off", {switch_off(facts, "optimizer.optimizer_cpu_offload")});
          },
  };
}

}  // namespace spillway::validate::rules
