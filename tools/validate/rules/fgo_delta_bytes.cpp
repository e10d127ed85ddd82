#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_delta_bytes() {
  static constexpr std::string_view kKey = "model.delta_offload_bytes_across_pp_ranks";
  return {
      .code = "FGO-DELTA-BYTES",
      .summary = "the bytes kept per pipeline rank must not be negative, and need a pipeline to matter",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 2182, "AssertionError", "delta_offload_bytes_across_pp_ranks must be non-negative."}},
      .what =
          "fine_grained_activation_offloading is on and delta_offload_bytes_across_pp_ranks is below 0, or above 0 with one pipeline "
          "stage.",
      .why =
          "A negative value is refused when the model configuration is built. The value is multiplied by the pipeline rank, so with one "
          "stage it is multiplied by 0 and has no effect.",
      .remedy = "Use 0 or more; set it only with pipeline parallelism, to keep more on the later stages, which hold fewer micro-batches.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "assert self.delta_offload_bytes_across_pp_ranks >= 0"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            const auto& value = facts.value(kKey);
            const auto bytes = facts.number(kKey);
            if (!bytes) {
              report.add("delta_offload_bytes_across_pp_ranks must be a number of bytes, not " + value.repr())
                  .keys({kKey})
                  .natural("TypeError", not_comparable(">=", value))
                  .fix(Fix::Safety::kDisplayOnly, "use the default", {set(kKey, 0)});
              return;
            }
            if (!(*bytes >= 0)) {
              report.add("delta_offload_bytes_across_pp_ranks is " + value.str() + "; it must not be negative")
                  .keys({kKey, "model.fine_grained_activation_offloading"})
                  .fix(Fix::Safety::kDisplayOnly, "use the default", {set(kKey, 0)});
              return;
            }
            if (*bytes == 0 || facts.integer("model.pipeline_model_parallel_size", 1) > 1) return;
            report.add("delta_offload_bytes_across_pp_ranks is " + value.str() + " but there is one pipeline stage, so it has no effect")
                .severity(Severity::kWarning)
                .keys({kKey, "model.pipeline_model_parallel_size"})
                .fix(Fix::Safety::kSafe, "use the default", {set(kKey, 0)});
          },
  };
}

}  // namespace spillway::validate::rules
