#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

constexpr std::array<std::string_view, 6> kModules = {"attn", "mlp", "moe", "moe_router", "moe_preprocess", "mamba"};
constexpr std::array<std::string_view, 3> kSpecial = {"full", "full_iteration", "full_iteration_inference"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool exists(const Facts& facts, std::string_view name) {
  if (name == "full_iteration_inference" && facts.core() < Core::k0_17) return false;
  return among(kModules, name) || among(kSpecial, name);
}

/// The names as written: a string is a comma list whose blanks count; an empty one names nothing since 0.18.
std::vector<std::string> written(const Facts& facts, const config::Value& value) {
  std::vector<std::string> names;
  if (const auto* text = value.string(); text != nullptr && (!text->empty() || facts.core() < Core::k0_18))
    for (const auto part : split(*text, ',')) names.emplace_back(part);
  if (const auto* items = value.list())
    for (const auto& item : *items) names.push_back(item.str());
  return names;
}

std::string key_in_use(const Facts& facts) {
  const bool scope = facts.core() < Core::k0_18 || !facts.is_null("model.cuda_graph_scope");
  return scope ? "model.cuda_graph_scope" : "model.cuda_graph_modules";
}

}  // namespace

Rule cg_scope_values() {
  return {
      .code = "CG-SCOPE-VALUES",
      .summary = "the captured modules contain a name that does not exist or does not combine",
      .since = Core::k0_16,
      .raises = {{Place::kParse, 260, "KeyError", "'{}'", {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2732, "KeyError", "'{}'"},
                 {Place::kTransformerConfig, 2731, "AssertionError", "full scope cannot be used with other scopes."},
                 {Place::kTransformerConfig, 2734, "AssertionError",
                  "cuda_graph_modules cannot contain multiple deprecated values at the same time: {}."},
                 {Place::kTransformerConfig, 2735, "AssertionError",
                  "cuda_graph_modules='full_iteration' cannot be combined with cuda_graph_impl={}."},
                 {Place::kTransformerConfig, 2816, "AssertionError",
                  "To use full iteration cuda graph, please use cuda_graph_impl=local instead of cuda_graph_impl=transformer_engine."},
                 {Place::kTransformerConfig, 2737, "AssertionError",
                  "cuda_graph_modules='full_iteration_inference' cannot be combined with cuda_graph_impl={}."}},
      .what =
          "cuda_graph_modules (before 0.18 cuda_graph_scope) knows attn, mlp, moe, moe_router, moe_preprocess and mamba. full, "
          "full_iteration and "
          "full_iteration_inference are deprecated special names that stand alone, and full_iteration does not go with transformer_engine.",
      .why =
          "An unknown name is a KeyError from the enumeration, without a hint what would be right; blanks after commas are part of the "
          "name.",
      .remedy = "Use the names above. For one graph over the iteration write cuda_graph_impl=full_iteration and no modules.",
      .evidence = {"megatron/core/transformer/cuda_graph_config.py", "CudaGraphModule[name]"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string key = key_in_use(facts);
            const auto names = written(facts, facts.value(key));
            const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
            const auto& impl = facts.value("model.cuda_graph_impl");
            const bool renamed = facts.core() >= Core::k0_18;
            for (const auto& name : names)
              if (!exists(facts, name)) {
                report
                    .add("there is no CUDA-graph module " + config::Value(name).repr() + "; modules are " +
                         "attn, mlp, moe, moe_router, moe_preprocess, mamba")
                    .keys({key})
                    .raise(facts.megatron_lm() ? 0 : 1, {name});
                break;
              }
            if (has("full") && names.size() > 1)
              report.add("\"full\" means whole layers and cannot stand beside other modules").keys({key}).raise(2);
            if (has("full_iteration") && (facts.graphs().impl == "transformer_engine" || (renamed && impl.is_null())))
              report.add("the module name full_iteration needs cuda_graph_impl=full_iteration, not " + impl.str())
                  .keys({key, "model.cuda_graph_impl"})
                  .raise(renamed ? 4 : 5, {impl.repr()})
                  .fix(Fix::Safety::kDisplayOnly, "capture the whole iteration",
                       {set("model.cuda_graph_impl", renamed ? "full_iteration" : "local"),
                        renamed ? set(key, config::Null{}) : set(key, "full_iteration")});
            if (!renamed) return;
            if (has("full_iteration") && has("full_iteration_inference"))
              report.add("full_iteration and full_iteration_inference are both named")
                  .keys({key})
                  .raise(3, {"['full_iteration', 'full_iteration_inference']"});
            const auto& graphs = facts.graphs();
            if (has("full_iteration_inference") && (graphs.impl == "transformer_engine" || graphs.impl == "full_iteration"))
              report.add("full_iteration_inference does not combine with cuda_graph_impl=" + graphs.impl)
                  .keys({key, "model.cuda_graph_impl"})
                  .raise(6, {config::Value(graphs.impl).repr()});
          },
  };
}

}  // namespace spillway::validate::rules
