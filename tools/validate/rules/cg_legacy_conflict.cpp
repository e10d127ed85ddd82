#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_legacy_conflict() {
  return {
      .code = "CG-LEGACY-CONFLICT",
      .summary = "a deprecated CUDA-graph switch together with cuda_graph_impl",
      .raises = {{Place::kValidateArgs,
                  612,
                  "AssertionError",
                  "Do not use --enable-cuda-graph or --external-cuda-graph with --cuda-graph-impl.",
                  {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2699, "AssertionError",
                  "Do not use enable_cuda_graph or external_cuda_graph with cuda_graph_impl."},
                 {Place::kBridgeRefinalize,
                  2699,
                  "AssertionError",
                  "Do not use enable_cuda_graph or external_cuda_graph with cuda_graph_impl.",
                  {Launcher::kBridge}}},
      .what =
          "enable_cuda_graph or external_cuda_graph is on while cuda_graph_impl already names an implementation. Bridge finalizes "
          "provider-style models twice, and the first pass fills cuda_graph_impl from the switch, so there the switch alone is enough.",
      .why =
          "The two old switches are aliases of cuda_graph_impl=local and cuda_graph_impl=transformer_engine; upstream refuses to guess "
          "which of the two was meant.",
      .remedy = "Keep cuda_graph_impl and remove the old switches.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.enable_cuda_graph or self.external_cuda_graph: assert self.cuda_graph_impl == \"none\""},
      .check =
          [](const Facts& facts, Report& report) {
            const bool enable = facts.on("model.enable_cuda_graph"), external = facts.on("model.external_cuda_graph");
            if (!enable && !external) return;
            const std::string old = enable ? "model.enable_cuda_graph" : "model.external_cuda_graph";
            if (facts.is("model.cuda_graph_impl", "none")) {
              if (!facts.bridge() || facts.builder_style()) return;
              const std::string impl = enable ? "local" : "transformer_engine";
              report
                  .add(old.substr(6) +
                       " fills cuda_graph_impl when Bridge finalizes the model, and clashes with it when Bridge does so again")
                  .keys({old, "model.cuda_graph_impl"})
                  .raise(2)
                  .fix(Fix::Safety::kSafe, "write cuda_graph_impl=" + impl, {remove(old), set("model.cuda_graph_impl", impl)});
              return;
            }
            report
                .add(old.substr(6) + " and cuda_graph_impl=" + facts.value("model.cuda_graph_impl").str() +
                     " both choose the CUDA-graph implementation")
                .keys({old, "model.cuda_graph_impl"})
                .fix(Fix::Safety::kSafe, "remove the deprecated switches",
                     {remove("model.enable_cuda_graph"), remove("model.external_cuda_graph")});
          },
  };
}

}  // namespace spillway::validate::rules
