#include "tools/validate/graph_edits.hpp"
#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// 0.16 and 0.17 also refuse every graph that is not Transformer Engine's.
bool refused(const Facts& facts) {
  const Graphs& graphs = facts.graphs();
  if (!graphs.any()) return false;
  if (graphs.impl != "transformer_engine") return facts.core() <= Core::k0_17;
  return graphs.has("moe") || graphs.has("mlp");
}

}  // namespace

Rule moe_ovl_cg() {
  return {
      .code = "MOE-OVL-CG",
      .summary = "overlapping expert communication excludes CUDA graphs of moe and mlp",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 3065, "AssertionError",
                  "CUDA graph scope on moe and mlp is not supported with overlap_moe_expert_parallel_comm"}},
      .what =
          "overlap_moe_expert_parallel_comm is on and Transformer Engine's CUDA graphs capture moe or mlp. 0.16 and 0.17 refuse any other "
          "graph implementation as well.",
      .why =
          "The schedule runs dispatch, experts and combine as separate pieces, which a graph around the whole part forbids. Megatron-Core "
          "refuses the configuration when it is built.",
      .remedy = "Capture attn and moe_router (with moe_preprocess) only, or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.cuda_graph_impl == \"transformer_engine\": assert CudaGraphModule.moe not in self.cuda_graph_modules and "
                   "CudaGraphModule.mlp not in self.cuda_graph_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap) || !refused(facts)) return;
            const bool modules = facts.graphs().impl == "transformer_engine";
            auto finding = report.add(modules ? "CUDA graphs capture moe or mlp while overlap_moe_expert_parallel_comm is on"
                                              : "CUDA graphs are " + facts.graphs().impl +
                                                    " while overlap_moe_expert_parallel_comm is on, which this version refuses");
            finding.keys(
                {"model.cuda_graph_modules", "model.cuda_graph_scope", "model.cuda_graph_impl", kExpertOverlap, kExpertOverlapOfBridge});
            if (const auto kept = without(facts.graphs().modules, {"moe", "mlp"}); modules && !kept.empty())
              finding.fix(Fix::Safety::kDisplayOnly, "capture neither moe nor mlp", capture_only(facts, kept));
            finding.fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"))
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
          },
  };
}

}  // namespace spillway::validate::rules
