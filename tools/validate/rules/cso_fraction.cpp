#include <optional>

#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

bool within_unit(std::optional<double> fraction) { return fraction && *fraction >= 0 && *fraction <= 1; }

}  // namespace

Rule cso_fraction() {
  return {
      .code = "CSO-FRACTION",
      .summary = "the fraction of the optimizer-state offload is within 0 and 1",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 429, "AssertionError", "optimizer_state_offload_fraction must be in [0.0, 1.0]"}},
      .what = "optimizer_state_offload_fraction (dev branch) is outside 0 and 1, whether the offload is on or not.",
      .why = "The configuration is refused.",
      .remedy = "Give a fraction; 50 % is 0.5.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "assert ..., \"optimizer_state_offload_fraction must be in [0.0, 1.0]\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!(!within_unit(facts.number("optimizer.optimizer_state_offload_fraction")))) return;
            report
                .add("optimizer_state_offload_fraction is " + facts.value("optimizer.optimizer_state_offload_fraction").str() +
                     "; it must be within 0 and 1")
                .keys({"optimizer.optimizer_state_offload_fraction"});
          },
  };
}

}  // namespace spillway::validate::rules
