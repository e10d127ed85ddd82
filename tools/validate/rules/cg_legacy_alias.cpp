#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_legacy_alias() {
  return {
      .code = "CG-LEGACY-ALIAS",
      .summary = "a deprecated switch chooses the CUDA-graph implementation",
      .severity = Severity::kInfo,
      .stage = Stage::kConfig,
      .what = "enable_cuda_graph is an alias of cuda_graph_impl=local, external_cuda_graph of cuda_graph_impl=transformer_engine.",
      .why =
          "Every constraint on CUDA graphs applies to the implementation chosen this way, although no key named cuda_graph_impl is "
          "written. In Bridge a model that is finalized twice fails on the second pass, because the first one has already filled "
          "cuda_graph_impl.",
      .remedy = "Write cuda_graph_impl instead of the switch.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.enable_cuda_graph: self.cuda_graph_impl = \"local\""},
      .check =
          [](const Facts& facts, Report& report) {
            for (const std::string key : {"model.enable_cuda_graph", "model.external_cuda_graph"}) {
              if (facts.off(key)) continue;
              const std::string impl = key == "model.enable_cuda_graph" ? "local" : "transformer_engine";
              auto draft = report.add(key.substr(6) + " is deprecated; it sets cuda_graph_impl to " + impl);
              draft.keys({key});
              // Both at once are refused, and which of them was meant is for a person to say.
              const bool both = facts.on("model.enable_cuda_graph") && facts.on("model.external_cuda_graph");
              draft.fix(both ? Fix::Safety::kDisplayOnly : Fix::Safety::kSafe, "write cuda_graph_impl=" + impl,
                        {remove(key), set("model.cuda_graph_impl", impl)});
            }
          },
  };
}

}  // namespace spillway::validate::rules
