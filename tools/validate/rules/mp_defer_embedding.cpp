#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_defer_embedding() {
  static constexpr std::string_view kDefer = "model.defer_embedding_wgrad_compute";
  return {
      .code = "MP-DEFER-EMBEDDING",
      .summary = "deferring the embedding's weight gradient needs a pipeline and fused accumulation",
      .raises = {{Place::kModelParallelConfig, 546, "ValueError",
                  "Cannot defer embedding wgrad compute when pipeline model parallel is not used"},
                 {Place::kModelParallelConfig, 551, "ValueError",
                  "Cannot defer embedding wgrad compute when gradient accumulation fusion is not used"},
                 {Place::kModelParallelConfig, 556, "ValueError",
                  "Wgrad deferral limit should be greater than or equal to 0 when it is enabled!"}},
      .what =
          "defer_embedding_wgrad_compute is on with one pipeline stage, without gradient_accumulation_fusion, or with a negative "
          "wgrad_deferral_limit. In Megatron-Bridge comm_overlap switches it on; a recipe made for a pipeline keeps it when the pipeline "
          "is taken away, e.g. to offload activations.",
      .why = "The gradient is put into the bubbles of the pipeline; without one Megatron-Core refuses the configuration.",
      .remedy = "Switch defer_embedding_wgrad_compute off.",
      .evidence = {"megatron/core/model_parallel_config.py",
                   "if self.defer_embedding_wgrad_compute and self.pipeline_model_parallel_size == 1: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kDefer)) return;
            const std::string_view bridge = "comm_overlap.defer_embedding_wgrad_compute";
            const bool from_overlap = facts.bridge() && facts.given(bridge) && facts.on(bridge);
            const auto refuse = [&](std::size_t raise, const std::string& why, std::string_view key) {
              report.add("defer_embedding_wgrad_compute is on " + why)
                  .keys({from_overlap ? bridge : kDefer, key})
                  .raise(raise)
                  .fix(Fix::Safety::kUnsafe, "do not defer the gradient", {switch_off(facts, from_overlap ? bridge : kDefer)});
            };
            if (facts.integer("model.pipeline_model_parallel_size", 1) == 1)
              refuse(0, "with one pipeline stage", "model.pipeline_model_parallel_size");
            if (facts.off("model.gradient_accumulation_fusion"))
              refuse(1, "without gradient_accumulation_fusion", "model.gradient_accumulation_fusion");
            if (facts.integer("model.wgrad_deferral_limit") < 0)
              refuse(2, "with a negative wgrad_deferral_limit", "model.wgrad_deferral_limit");
          },
  };
}

}  // namespace spillway::validate::rules
