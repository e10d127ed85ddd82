#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_legacy_conflict() {
  return {
      .code = "CG-LEGACY-CONFLICT",
      .summary = "a deprecated CUDA-graph switch together with cuda_graph_impl",
      .raises = {{Place::kValidateArgs, 612, "AssertionError", "Do not use --enable-cuda-graph or --external-cuda-graph with --cuda-graph-impl.",
                  {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2699, "AssertionError", "Do not use enable_cuda_graph or external_cuda_graph with cuda_graph_impl."}},
      .what = "enable_cuda_graph or external_cuda_graph is on while cuda_graph_impl already names an implementation.",
      .why = "The two old switches are aliases of cuda_graph_impl=local and cuda_graph_impl=transformer_engine; upstream refuses to guess which of the two was meant.",
      .remedy = "Keep cuda_graph_impl and remove the old switches.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.enable_cuda_graph or self.external_cuda_graph: assert self.cuda_graph_impl == \"none\""},
      .check =
          [](const Facts& facts, Report& report) {
            const bool enable = facts.on("model.enable_cuda_graph"), external = facts.on("model.external_cuda_graph");
            if (!enable && !external) return;
            if (facts.is("model.cuda_graph_impl", "none")) return;
            const std::string old = enable ? "model.enable_cuda_graph" : "model.external_cuda_graph";
            report.add(old.substr(6) + " and cuda_graph_impl=" + facts.value("model.cuda_graph_impl").str() + " both choose the CUDA-graph implementation")
                .keys({old, "model.cuda_graph_impl"})
                .fix(Fix::Safety::kSafe, "remove the deprecated switches", {remove("model.enable_cuda_graph"), remove("model.external_cuda_graph")});
          },
  };
}

}  // namespace spillway::validate::rules
