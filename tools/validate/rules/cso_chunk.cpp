#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_chunk() {
  return {
      .code = "CSO-CHUNK",
      .summary = "the chunk size of the optimizer-state offload is not negative",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 425, "AssertionError", "optimizer_state_offload_chunk_size_mb must be non-negative"}},
      .what = "optimizer_state_offload_chunk_size_mb (dev branch) is negative, whether the offload is on or not.",
      .why = "The configuration is refused.",
      .remedy = "Give a size in MB.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "assert ..., \"optimizer_state_offload_chunk_size_mb must be non-negative\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!(facts.number("optimizer.optimizer_state_offload_chunk_size_mb").value_or(0) < 0)) return;
            report
                .add("optimizer_state_offload_chunk_size_mb is " + facts.value("optimizer.optimizer_state_offload_chunk_size_mb").str() +
                     "; it must not be negative")
                .keys({"optimizer.optimizer_state_offload_chunk_size_mb"});
          },
  };
}

}  // namespace spillway::validate::rules
