#include <string>

#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_alias_opt() {
  return {
      .code = "CSO-ALIAS-OPT",
      .summary = "offload_optimizer_states, the deprecated name, is for adam only",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 436, "AssertionError",
                  "the deprecated --offload-optimizer-states alias currently supports only Adam; use --chunked-optimizer-state-offload for "
                  "supported Muon offload"}},
      .what = "The offload of optimizer states (dev branch) is switched on by its deprecated name and the optimizer is not adam.",
      .why = "The configuration is refused; a FutureWarning about the name comes with it.",
      .remedy = "Use chunked_optimizer_state_offload.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"the deprecated --offload-optimizer-states alias currently supports only Adam; use "
                   "--chunked-optimizer-state-offload for supported Muon offload\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.on("optimizer.offload_optimizer_states") && !facts.is("optimizer.optimizer", "adam"))) return;
            report.add("offload_optimizer_states works with adam only, and optimizer is " + std::string(facts.text("optimizer.optimizer")))
                .keys({"optimizer.offload_optimizer_states", "optimizer.optimizer"})
                .fix(Fix::Safety::kUnsafe, "use the present name",
                     {switch_off(facts, "optimizer.offload_optimizer_states"), set("optimizer.chunked_optimizer_state_offload", true)});
          },
  };
}

}  // namespace spillway::validate::rules
