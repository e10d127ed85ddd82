#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_legacy_both() {
  return {
      .code = "CG-LEGACY-BOTH",
      .summary = "both deprecated CUDA-graph switches are on",
      .raises = {{Place::kValidateArgs,
                  615,
                  "AssertionError",
                  "--enable-cuda-graph and --external-cuda-graph cannot be enabled at the same time.",
                  {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2702, "AssertionError",
                  "enable_cuda_graph and external_cuda_graph cannot be enabled at the same time."}},
      .what = "enable_cuda_graph and external_cuda_graph are both on.",
      .why = "They stand for two different implementations, local and transformer_engine; upstream refuses the pair.",
      .remedy = "Use cuda_graph_impl with the implementation that is meant, and neither switch.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "assert not (self.enable_cuda_graph and self.external_cuda_graph)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.enable_cuda_graph") || facts.off("model.external_cuda_graph")) return;
            report.add("enable_cuda_graph asks for local graphs and external_cuda_graph for Transformer Engine's; only one can be")
                .keys({"model.external_cuda_graph", "model.enable_cuda_graph"})
                .fix(Fix::Safety::kDisplayOnly, "choose one: cuda_graph_impl=transformer_engine",
                     {remove("model.enable_cuda_graph"), remove("model.external_cuda_graph"),
                      set("model.cuda_graph_impl", "transformer_engine")});
          },
  };
}

}  // namespace spillway::validate::rules
