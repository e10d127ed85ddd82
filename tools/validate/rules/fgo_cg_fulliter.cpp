#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_fulliter() {
  static constexpr std::string_view kKey = "model.fine_grained_offloading_max_inflight_offloads";
  return {
      .code = "FGO-CG-FULLITER",
      .summary = "full-iteration graphs with fine-grained offload need a cap on offloads in flight",
      .since = Core::k0_18,
      .raises = {{Place::kTransformerConfig, 2968, "AssertionError",
                  "fine_grained_offloading_max_inflight_offloads must be a non-negative integer when using fine-grained activation "
                  "offloading with "
                  "full-iteration CUDA graphs"}},
      .what =
          "fine_grained_activation_offloading is on, the CUDA graph spans the iteration, and fine_grained_offloading_max_inflight_offloads "
          "is null "
          "(its default) or negative.",
      .why =
          "Inside one captured iteration nothing else bounds how many copies are pending, so GPU memory would not be freed in time. "
          "Megatron-Core "
          "refuses the combination when the model configuration is built.",
      .remedy = "Set fine_grained_offloading_max_inflight_offloads: 0 waits at each commit and saves most, 1 or 2 overlap more.",
      .evidence =
          {"megatron/core/transformer/transformer_config.py",
           "if self.cuda_graph_impl == \"full_iteration\": assert self.fine_grained_offloading_max_inflight_offloads is not None and "
           "self.fine_grained_offloading_max_inflight_offloads >= 0"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.graphs().impl != "full_iteration") return;
            const auto& value = facts.value(kKey);
            const auto cap = facts.number(kKey);
            if (cap && *cap >= 0) return;
            auto finding =
                report.add("the CUDA graph spans the iteration, so fine_grained_offloading_max_inflight_offloads must be 0 or more, not " +
                           value.str());
            finding.keys({kKey, "model.cuda_graph_impl", "model.cuda_graph_modules"})
                .fix(Fix::Safety::kDisplayOnly, "let one offload be in flight", {set(kKey, 1)});
            if (!cap && !value.is_null()) finding.natural("TypeError", not_comparable(">=", value));
          },
  };
}

}  // namespace spillway::validate::rules
