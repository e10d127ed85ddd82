#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_fulliter_modules() {
  return {
      .code = "CG-FULLITER-MODULES",
      .summary = "full-iteration graphs take no module list",
      .since = Core::k0_18,
      .raises = {{Place::kValidateArgs,
                  1969,
                  "AssertionError",
                  "--cuda-graph-modules must be empty when --cuda-graph-impl=full_iteration.",
                  {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2794, "AssertionError",
                  "cuda_graph_modules must be empty when cuda_graph_impl=\"full_iteration\"."}},
      .what =
          "cuda_graph_impl is full_iteration, written or through the deprecated module name full_iteration, and cuda_graph_modules still "
          "names modules.",
      .why = "One graph spans the whole iteration; a choice of modules contradicts that and is refused.",
      .remedy = "Empty cuda_graph_modules (and cuda_graph_scope), or choose transformer_engine to capture modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.cuda_graph_impl == \"full_iteration\": assert not self.cuda_graph_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& graphs = facts.graphs();
            if (graphs.impl != "full_iteration" || graphs.modules.empty()) return;
            const bool scope = !facts.is_null("model.cuda_graph_scope");
            const std::string key = scope ? "model.cuda_graph_scope" : "model.cuda_graph_modules";
            report
                .add("cuda_graph_impl=full_iteration captures everything; " + key.substr(6) + " still names " + join(graphs.modules, ", "))
                .keys({key, "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "empty the module list",
                     {set(key, scope ? config::Value() : config::Value(config::List{}))});
          },
  };
}

}  // namespace spillway::validate::rules
