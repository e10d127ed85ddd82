#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_recompute_full() {
  return {
      .code = "CG-RECOMPUTE-FULL",
      .summary = "full recompute runs only inside a full-iteration graph",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2856, "AssertionError", "full recompute is only supported with full iteration CUDA graph."}},
      .what = "CUDA graphs of layers or modules are on together with recompute_granularity=full.",
      .why =
          "Full recompute replays whole layers in backward; a graph that captured those layers cannot be replayed that way, so upstream "
          "refuses it.",
      .remedy = "Use selective recompute, or none, or a full-iteration graph.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.recompute_granularity != \"selective\": assert self.cuda_graph_impl == \"full_iteration\""},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& graphs = facts.graphs();
            const auto granularity = facts.recompute_granularity();
            if (!graphs.any() || graphs.whole_iteration) return;
            if (!granularity.truthy() || granularity == config::Value("selective")) return;
            report.add("recompute_granularity=" + granularity.str() + " cannot run with cuda_graph_impl=" + graphs.impl)
                .keys({"model.recompute_granularity", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "recompute selectively",
                     {set("model.recompute_granularity", "selective"), remove("model.recompute_method"),
                      remove("model.recompute_num_layers")})
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", {set("model.cuda_graph_impl", "none")});
          },
  };
}

}  // namespace spillway::validate::rules
