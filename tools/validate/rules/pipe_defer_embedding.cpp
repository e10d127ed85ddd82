#include <string>
#include <vector>

#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Bridge's comm_overlap section overwrites the model's field where it has it.
std::vector<Edit> no_deferral(const Facts& facts) {
  const bool section = facts.bridge() && facts.on("comm_overlap.defer_embedding_wgrad_compute");
  return {switch_off(facts, section ? "comm_overlap.defer_embedding_wgrad_compute" : "model.defer_embedding_wgrad_compute")};
}

}  // namespace

Rule pipe_defer_embedding() {
  return {
      .code = "PIPE-DEFER-EMBEDDING",
      .summary = "deferring the embedding's weight gradient needs a pipeline",
      .raises = {{Place::kModelParallelConfig, 546, "ValueError",
                  "Cannot defer embedding wgrad compute when pipeline model parallel is not used"},
                 {Place::kModelParallelConfig, 551, "ValueError",
                  "Cannot defer embedding wgrad compute when gradient accumulation fusion is not used"},
                 {Place::kModelParallelConfig, 556, "ValueError",
                  "Wgrad deferral limit should be greater than or equal to 0 when it is enabled!"}},
      .what =
          "defer_embedding_wgrad_compute is on without pipeline parallelism, without gradient_accumulation_fusion, or with a "
          "negative wgrad_deferral_limit. It typically remains when the pipeline is given up for cpu_offloading.",
      .why = "The configuration is refused.",
      .remedy = "Switch defer_embedding_wgrad_compute off when there is no pipeline.",
      .evidence = {"megatron/core/model_parallel_config.py",
                   "if self.defer_embedding_wgrad_compute and self.pipeline_model_parallel_size == 1: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.defer_embedding_wgrad_compute")) return;
            const auto found = [&](std::size_t raise, const std::string& message) {
              report.add(message)
                  .keys({"model.defer_embedding_wgrad_compute", "model.pipeline_model_parallel_size"})
                  .raise(raise)
                  .fix(Fix::Safety::kUnsafe, "compute the embedding's weight gradient in its place", no_deferral(facts));
            };
            if (facts.integer("model.pipeline_model_parallel_size", 1) == 1)
              found(0,
                    "defer_embedding_wgrad_compute is on and there is one pipeline stage; it fills the pipeline's drain, which one stage "
                    "does not have");
            if (facts.off("model.gradient_accumulation_fusion"))
              found(1, "defer_embedding_wgrad_compute is on and gradient_accumulation_fusion is off");
            if (facts.number("model.wgrad_deferral_limit").value_or(0) < 0)
              found(2, "defer_embedding_wgrad_compute is on and wgrad_deferral_limit is negative");
          },
  };
}

}  // namespace spillway::validate::rules
