#include <algorithm>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The inference scopes an implementation can serve.
bool served(std::string_view impl, std::string_view scope) {
  if (impl == "local") return scope == "none" || scope == "layer" || scope == "block";
  return scope == "none";
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
                  "cuda_graph_modules='full_iteration' cannot be combined with inference_cuda_graph_scope='{}'."}},
      .what = "inference_cuda_graph_scope is none, layer or block; layer and block exist only for local graphs.",
      .why = "Other implementations capture no inference graphs; upstream refuses the scope instead of ignoring it.",
      .remedy = "Leave inference_cuda_graph_scope unset for training.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.inference_cuda_graph_scope in valid_scopes[self.cuda_graph_impl]"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string scope(facts.text("model.inference_cuda_graph_scope"));
            if (scope.empty()) return;
            if (scope != "none" && scope != "layer" && scope != "block") {
              report.add("inference_cuda_graph_scope is '" + scope + "'; it must be none, layer or block")
                  .keys({"model.inference_cuda_graph_scope"})
                  .raise(2, {scope});
              return;
            }
            const std::string& impl = facts.graphs().impl;
            if (served(impl, scope)) return;
            const bool from_modules = impl == "full_iteration" && !facts.is("model.cuda_graph_impl", "full_iteration");
            if (from_modules)
              report.add("the module name full_iteration does not combine with inference_cuda_graph_scope=" + scope)
                  .keys({"model.inference_cuda_graph_scope", "model.cuda_graph_modules"})
                  .raise(3, {scope});
            report.add("inference_cuda_graph_scope=" + scope + " needs cuda_graph_impl=local; it is " + impl)
                .keys({"model.inference_cuda_graph_scope", "model.cuda_graph_impl"})
                .with({scope, impl})
                .fix(Fix::Safety::kSafe, "leave the inference scope unset", {remove("model.inference_cuda_graph_scope")});
          },
  };
}

}  // namespace spillway::validate::rules
