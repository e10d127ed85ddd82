#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_recompute_any() {
  return {
      .code = "CG-RECOMPUTE-ANY",
      .summary = "core 0.15 knows no recompute with CUDA graphs",
      .until = Core::k0_15,
      .raises = {{Place::kTransformerConfig, 2856, "ValueError", "CUDA graphs not supported with activation recomputation."},
                 {Place::kTransformerConfig, 2857, "ValueError", "attn cuda graph is not supported with {} recompute."}},
      .what =
          "A CUDA-graph implementation is chosen together with activation recompute. Megatron-Core 0.15 allows only selective recompute, "
          "only with Transformer Engine's attention graph, and only of modules outside attention.",
      .why = "Upstream refuses it when the model configuration is built; later versions lifted the restriction.",
      .remedy = "Switch recompute or CUDA graphs off, or use Megatron-Core 0.16 or newer.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.recompute_granularity: if self.recompute_granularity != \"selective\" …"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& graphs = facts.graphs();
            const auto granularity = facts.recompute_granularity();
            if (!graphs.any() || !granularity.truthy()) return;
            const bool partial =
                graphs.impl == "transformer_engine" && facts.selective() && graphs.has("attn") && graphs.modules.size() == 1;
            if (!partial) {
              report.add("cuda_graph_impl=" + graphs.impl + " cannot run with recompute_granularity=" + granularity.str())
                  .keys({"model.recompute_granularity", "model.cuda_graph_impl"})
                  .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", {set("model.cuda_graph_impl", "none")});
              return;
            }
            for (const auto& module : facts.recompute_modules()) {
              if (module != "core_attn" && module != "layernorm" && module != "mla_up_proj") continue;
              report.add("the captured attention cannot recompute " + module)
                  .keys({"model.recompute_modules", "model.cuda_graph_scope"})
                  .raise(1, {module});
            }
          },
  };
}

}  // namespace spillway::validate::rules
