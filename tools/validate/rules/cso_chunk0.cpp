#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_chunk0() {
  return {
      .code = "CSO-CHUNK0",
      .summary = "without a chunk size all offloaded states come back at once",
      .severity = Severity::kWarning,
      .stage = Stage::kArgs,
      .launchers = {Launcher::kMegatronLm},
      .since = Core::kDev,
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on and optimizer_state_offload_chunk_size_mb "
          "is 0, its default.",
      .why = "The states leave the GPU between the steps only; the peak during the step is that of no offload. Megatron-LM warns about it.",
      .remedy = "Give a chunk size, some hundred MB.",
      .evidence = {"megatron/training/arguments.py",
                   "assert ..., \"optimizer state offload is enabled with chunk size 0, so all selected optimizer tensor state is "
                   "temporarily restored together\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.number("optimizer.optimizer_state_offload_chunk_size_mb").value_or(0) == 0)) return;
            report
                .add(
                    "optimizer_state_offload_chunk_size_mb is 0: in each step all offloaded optimizer state is on the GPU at once for a "
                    "while")
                .keys({"optimizer.optimizer_state_offload_chunk_size_mb", "optimizer.chunked_optimizer_state_offload"})
                .fix(Fix::Safety::kUnsafe, "bring the states back in chunks",
                     {set("optimizer.optimizer_state_offload_chunk_size_mb", 256)});
          },
  };
}

}  // namespace spillway::validate::rules
