#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_modules_ignored() {
  return {
      .code = "CG-MODULES-IGNORED",
      .summary = "graph modules are named but CUDA graphs are off",
      .severity = Severity::kWarning,
      .what = "cuda_graph_modules (or its old name cuda_graph_scope) names modules while cuda_graph_impl is none.",
      .why = "Nothing is captured; the list has no effect. Bridge clears it.",
      .remedy = "Set cuda_graph_impl=transformer_engine to capture the modules, or remove the list.",
      .evidence = {"src/megatron/bridge/utils/cuda_graph.py", "if model.cuda_graph_impl == \"none\": model.cuda_graph_modules = []"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.given("model.cuda_graph_modules") && !facts.given("model.cuda_graph_scope")) return;
            const auto& graphs = facts.graphs();
            if (graphs.any() || graphs.whole_iteration || graphs.modules.empty() || !facts.is("model.cuda_graph_impl", "none")) return;
            const std::string key = facts.is_null("model.cuda_graph_scope") ? "model.cuda_graph_modules" : "model.cuda_graph_scope";
            // A recipe below may hold a list of its own, which leaving the key out would bring back.
            const Edit edit = facts.recipe().empty() ? remove(key) : set(key, config::List{});
            report.add(key.substr(6) + " names " + join(graphs.modules, ", ") + ", but cuda_graph_impl is none: nothing is captured")
                .keys({key, "model.cuda_graph_impl"})
                .fix(Fix::Safety::kSafe, "remove the module list", {edit});
          },
  };
}

}  // namespace spillway::validate::rules
