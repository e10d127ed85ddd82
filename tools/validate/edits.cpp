#include "tools/validate/edits.hpp"

#include "tools/validate/report.hpp"

namespace spillway::validate {

Edit clear(const Facts& facts, std::string_view key) { return facts.megatron_lm() ? remove(key) : set(key, config::Null{}); }

Edit switch_off(const Facts& facts, std::string_view key) { return facts.megatron_lm() ? remove(key) : set(key, false); }

std::vector<Edit> no_layer_offload(const Facts& facts) {
  if (facts.megatron_lm()) return {remove("model.cpu_offloading_num_layers")};
  return {set("model.cpu_offloading", false)};
}

std::vector<Edit> no_recompute(const Facts& facts) {
  std::vector<Edit> edits;
  if (facts.given("args.recompute_activations")) edits.push_back(remove("args.recompute_activations"));
  if (facts.given("model.recompute_granularity") || edits.empty()) edits.push_back(clear(facts, "model.recompute_granularity"));
  for (const std::string_view key : {"model.recompute_method", "model.recompute_num_layers"})
    if (facts.given(key)) edits.push_back(clear(facts, key));
  return edits;
}

std::vector<Edit> without_module(const Facts& facts, std::string_view module) {
  config::List kept;
  for (const auto& name : facts.strings("model.recompute_modules"))
    if (name != module) kept.emplace_back(name);
  return {kept.empty() ? clear(facts, "model.recompute_modules") : set("model.recompute_modules", std::move(kept))};
}

}  // namespace spillway::validate
