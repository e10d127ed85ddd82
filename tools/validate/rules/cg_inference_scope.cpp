#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The inference scopes an implementation can serve.
bool served(std::string_view impl, std::string_view scope) {
  return impl == "local" ? scope == "layer" || scope == "block" : scope == "none";
}

}  // namespace

Rule cg_inference_scope() {
  return {
      .code = "CG-INFERENCE-SCOPE",
      .summary = "the inference graph scope does not fit the implementation",
      .since = Core::k0_18,
      .raises = {{Place::kValidateArgs,
                  647,
                  "AssertionError",
                  "Invalid inference CUDA graph scope '{}' for --cuda-graph-impl='{}'.",
                  {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2789, "AssertionError", "Invalid inference CUDA graph scope '{}' for cuda_graph_impl='{}'."},
                 {Place::kTransformerConfig, 2733, "KeyError", "'{}'"},
                 {Place::kTransformerConfig, 2736, "AssertionError",
                  "cuda_graph_modules='full_iteration' cannot be combined with inference_cuda_graph_scope='{}'."},
                 {Place::kValidateArgs,
                  644,
                  "AssertionError",
                  "cuda_graph_modules='full_iteration' cannot be combined with inference_cuda_graph_scope='{}'.",
                  {Launcher::kMegatronLm}}},
      .what =
          "inference_cuda_graph_scope is none, layer or block; layer and block exist only for local graphs, and none does not exist for "
          "them. The deprecated module name full_iteration_inference stands for block.",
      .why = "Other implementations capture no inference graphs; upstream refuses the scope instead of ignoring it.",
      .remedy = "Leave inference_cuda_graph_scope unset for training.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.inference_cuda_graph_scope in valid_scopes[self.cuda_graph_impl]"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string written(facts.text("model.inference_cuda_graph_scope"));
            if (written.empty() && !facts.graphs().inference_block) return;
            if (!written.empty() && written != "none" && written != "layer" && written != "block") {
              report.add("inference_cuda_graph_scope is '" + written + "'; it must be none, layer or block")
                  .keys({"model.inference_cuda_graph_scope"})
                  .raise(2, {written})
                  .stops();
              return;
            }
            const Graphs& graphs = facts.graphs();
            if (graphs.whole_iteration && !written.empty() && written != "none" && graphs.asked != config::Value("full_iteration"))
              report.add("the module name full_iteration does not combine with inference_cuda_graph_scope=" + written)
                  .keys({"model.inference_cuda_graph_scope", "model.cuda_graph_modules"})
                  .raise(facts.megatron_lm() ? 4 : 3, {written});
            const std::string scope = graphs.inference_block ? "block" : written;
            if (served(graphs.impl, scope)) return;
            auto finding = report.add("inference_cuda_graph_scope=" + scope + " does not go with cuda_graph_impl=" + graphs.impl);
            finding.keys({"model.inference_cuda_graph_scope", "model.cuda_graph_impl", "model.cuda_graph_modules"})
                .with({scope, graphs.impl});
            // A block that the graph's own scope asks for stays whatever stands here.
            if (!graphs.inference_block)
              finding.fix(Fix::Safety::kSafe, "leave the inference scope unset", {remove("model.inference_cuda_graph_scope")});
          },
  };
}

}  // namespace spillway::validate::rules
