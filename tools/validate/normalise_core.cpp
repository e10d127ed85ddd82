#include <algorithm>

#include "tools/validate/scenario.hpp"

namespace spillway::validate {

using config::Core;
using config::List;
using config::Value;

namespace {

/// Module names of a graph scope value; a string is a comma list (blanks are not stripped).
std::vector<std::string> module_names(const Value& value) {
  std::vector<std::string> names;
  if (const auto* text = value.string()) {
    for (const auto part : split(*text, ',')) names.emplace_back(part);
  } else if (const List* items = value.list()) {
    for (const auto& item : *items) names.push_back(item.str());
  }
  std::erase(names, "");
  return names;
}

/// The deprecated switches choose the implementation.
Value asked_impl(const Scenario& scenario) {
  if (scenario.current("model.external_cuda_graph").truthy()) return "transformer_engine";
  if (scenario.current("model.enable_cuda_graph").truthy()) return "local";
  return scenario.current("model.cuda_graph_impl");
}

/// The word "full" stands for whole layers and, since 0.18, for nothing but them: other names beside it are refused and forgotten.
void take_full(Graphs& graphs, Core core) {
  if (graphs.has("full") && core >= Core::k0_18)
    graphs.modules.clear();
  else
    std::erase(graphs.modules, "full");
}

/// `full_iteration` among the modules is a deprecated spelling of the implementation since 0.18, whatever else is asked for (Transformer
/// Engine's graphs are refused beside it); before, it is how local graphs ask for it. Both special names are taken in their order.
void take_full_iteration(Graphs& graphs, Core core) {
  for (const auto& name : std::vector<std::string>(graphs.modules)) {
    if (name == "full_iteration") graphs.whole_iteration = true;
    if (name == "full_iteration" && core >= Core::k0_18) graphs.impl = "full_iteration";
    if (name == "full_iteration_inference" && graphs.any()) graphs.inference_block = true;
  }
  std::erase(graphs.modules, "full_iteration");
  std::erase(graphs.modules, "full_iteration_inference");
  if (core >= Core::k0_18) graphs.whole_iteration = graphs.impl == "full_iteration";
}

/// Local graphs capture the router and its preprocessing together: naming one names both.
void pair_router(Graphs& graphs) {
  if (graphs.impl != "local") return;
  const bool router = graphs.has("moe_router"), preprocess = graphs.has("moe_preprocess");
  if (router && !preprocess) graphs.modules.emplace_back("moe_preprocess");
  if (preprocess && !router) graphs.modules.emplace_back("moe_router");
}

}  // namespace

Graphs resolve_graphs(const Scenario& scenario) {
  Graphs graphs;
  graphs.asked = asked_impl(scenario);
  graphs.impl = graphs.asked.is_null() ? "none" : graphs.asked.str();
  const bool has_modules = scenario.core >= Core::k0_18;
  Value modules = scenario.current("model.cuda_graph_scope");
  if (has_modules && modules.is_null()) modules = scenario.current("model.cuda_graph_modules");
  graphs.modules = module_names(modules);
  take_full(graphs, scenario.core);
  take_full_iteration(graphs, scenario.core);
  pair_router(graphs);
  return graphs;
}

void normalise_core(Scenario& scenario) {
  // Expert tensor parallelism follows tensor parallelism unless given.
  if (scenario.current("model.expert_tensor_parallel_size").is_null())
    scenario.derive("model.expert_tensor_parallel_size", scenario.current("model.tensor_model_parallel_size"),
                    {"model.expert_tensor_parallel_size", "model.tensor_model_parallel_size"});
}

}  // namespace spillway::validate
