#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_recompute_moe() {
  return {
      .code = "CG-RECOMPUTE-MOE",
      .summary = "recompute of the MoE layer across a captured router",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2866, "AssertionError", "moe recompute is not supported with moe_router CUDA graph with: "}},
      .what = "Transformer Engine graphs capture moe_router while selective recompute covers the whole MoE layer (module moe).",
      .why =
          "The recomputed region would contain a part that is already a graph; a graph may lie inside or outside of a recomputed module, "
          "never across its border.",
      .remedy = "Take moe out of recompute_modules (moe_act is allowed), or moe_router out of the captured modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"moe\" in self.recompute_modules: assert CudaGraphModule.moe_router not in self.cuda_graph_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& graphs = facts.graphs();
            if (graphs.impl != "transformer_engine" || !graphs.has("moe_router")) return;
            if (!facts.recomputes("moe")) return;
            report.add("recompute_modules contains moe, but the moe_router inside it is captured by a CUDA graph")
                .keys({"model.recompute_modules", "model.cuda_graph_modules"})
                .fix(Fix::Safety::kDisplayOnly, "recompute only the experts' activation",
                     {set("model.recompute_modules", config::List{"moe_act"})});
          },
  };
}

}  // namespace spillway::validate::rules
