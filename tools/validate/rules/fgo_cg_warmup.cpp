#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_cg_warmup() {
  static constexpr std::string_view kKey = "model.cuda_graph_warmup_steps";
  return {
      .code = "FGO-CG-WARMUP",
      .summary = "CUDA graphs with fine-grained offload need at least one warm-up step",
      .since = Core::k0_18,
      .raises = {{Place::kTransformerConfig, 2963, "AssertionError",
                  "cuda_graph_warmup_steps must be greater than 0 when enabling fine-grained activation offloading."}},
      .what = "fine_grained_activation_offloading is on, CUDA graphs are on, and cuda_graph_warmup_steps is 0 or less.",
      .why =
          "The offload manager learns in the warm-up what to offload; captured without it, the graph would hold the wrong copies. "
          "Megatron-Core refuses the combination when the model configuration is built.",
      .remedy = "Set cuda_graph_warmup_steps to 1 or more; the default is 3.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fine_grained_activation_offloading: assert self.cuda_graph_warmup_steps > 0"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || !facts.graphs().any()) return;
            const auto& value = facts.value(kKey);
            const auto steps = facts.number(kKey);
            if (steps && *steps > 0) return;
            auto finding =
                report.add("cuda_graph_warmup_steps is " + value.str() + "; fine-grained offload with CUDA graphs needs at least 1");
            finding.keys({kKey, "model.cuda_graph_impl", "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kSafe, "use the default of 3 warm-up steps", {set(kKey, 3)});
            if (!steps) finding.natural("TypeError", not_comparable(">", value));
          },
  };
}

}  // namespace spillway::validate::rules
