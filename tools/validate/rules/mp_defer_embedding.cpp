#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_defer_embedding() {
  static constexpr std::string_view kDefer = "model.defer_embedding_wgrad_compute";
  return {
      .code = "MP-DEFER-EMBEDDING",
      .summary = "deferring the embedding's weight gradient needs a pipeline",
      .raises = {{Place::kModelParallelConfig, 546, "ValueError",
                  "Cannot defer embedding wgrad compute when pipeline model parallel is not used"}},
      .what =
          "defer_embedding_wgrad_compute is on with one pipeline stage. In Megatron-Bridge comm_overlap switches it on; a recipe made for "
          "a pipeline keeps it when the pipeline is taken away, e.g. to offload activations.",
      .why = "The gradient is put into the bubbles of the pipeline; without one Megatron-Core refuses the configuration.",
      .remedy = "Switch defer_embedding_wgrad_compute off.",
      .evidence = {"megatron/core/model_parallel_config.py",
                   "if self.defer_embedding_wgrad_compute and self.pipeline_model_parallel_size == 1: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kDefer)) return;
            const std::string_view bridge = "comm_overlap.defer_embedding_wgrad_compute";
            const bool from_overlap = facts.bridge() && facts.given(bridge) && facts.on(bridge);
            if (facts.integer("model.pipeline_model_parallel_size", 1) != 1) return;
            report.add("defer_embedding_wgrad_compute is on with one pipeline stage")
                .keys({from_overlap ? bridge : kDefer, "model.pipeline_model_parallel_size"})
                .fix(Fix::Safety::kUnsafe, "do not defer the gradient", {switch_off(facts, from_overlap ? bridge : kDefer)});
          },
  };
}

}  // namespace spillway::validate::rules
