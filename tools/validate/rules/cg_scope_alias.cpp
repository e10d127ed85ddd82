#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The values of cuda_graph_modules that count as "not set" beside cuda_graph_scope.
bool is_default(const config::Value& modules) {
  const bool empty = modules.list() != nullptr && modules.list()->empty();
  return modules.is_null() || empty || modules == config::Value("full");
}

}  // namespace

Rule cg_scope_alias() {
  return {
      .code = "CG-SCOPE-ALIAS",
      .summary = "cuda_graph_scope and cuda_graph_modules are both set",
      .since = Core::k0_18,
      .raises = {{Place::kValidateArgs,
                  634,
                  "AssertionError",
                  "--cuda-graph-scope and --cuda-graph-modules cannot be used together.",
                  {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2717, "AssertionError", "cuda_graph_scope and cuda_graph_modules cannot be set together."}},
      .what = "cuda_graph_scope is the deprecated name of cuda_graph_modules; both are given.",
      .why =
          "Upstream refuses the pair. Many Bridge recipes preset cuda_graph_scope, so overriding cuda_graph_modules alone is enough to run "
          "into this.",
      .remedy = "Keep cuda_graph_modules and set cuda_graph_scope to null.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.cuda_graph_scope is not None: assert self.cuda_graph_modules in (\"full\", None, [])"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& scope = facts.value("model.cuda_graph_scope");
            const auto& modules = facts.value("model.cuda_graph_modules");
            if (scope.is_null() || is_default(modules)) return;
            report.add("cuda_graph_scope=" + scope.str() + " and cuda_graph_modules=" + modules.str() + " name the same thing twice")
                .keys({"model.cuda_graph_modules", "model.cuda_graph_scope"})
                .fix(Fix::Safety::kSafe, "set cuda_graph_scope to null", {set("model.cuda_graph_scope", config::Null{})});
          },
  };
}

}  // namespace spillway::validate::rules
