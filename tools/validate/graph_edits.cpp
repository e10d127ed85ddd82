#include "tools/validate/graph_edits.hpp"

#include "tools/validate/edits.hpp"

namespace spillway::validate {

std::vector<Edit> capture_with(const Facts& facts, std::string_view impl) {
  std::vector<Edit> edits{set("model.cuda_graph_impl", impl)};
  // The deprecated switches would choose the implementation again, or be refused beside it.
  for (const std::string_view deprecated : {"model.enable_cuda_graph", "model.external_cuda_graph"})
    if (facts.given(deprecated) && facts.on(deprecated)) edits.push_back(switch_off(facts, deprecated));
  return edits;
}

std::vector<Edit> capture_only(const Facts& facts, config::List modules) {
  const bool deprecated = facts.given("model.cuda_graph_scope") && !facts.is_null("model.cuda_graph_scope");
  return {
      set(deprecated || facts.core() < config::Core::k0_18 ? "model.cuda_graph_scope" : "model.cuda_graph_modules", std::move(modules))};
}

}  // namespace spillway::validate
