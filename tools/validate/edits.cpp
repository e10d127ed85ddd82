#include "tools/validate/edits.hpp"

#include "tools/validate/name_lists.hpp"
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

Edit set_names(const Facts& facts, std::string_view key, config::List names) {
  if (names.empty() && facts.megatron_lm()) return remove(key);
  return set(key, std::move(names));
}

std::vector<Edit> without_offload_of(const Facts& facts, const std::set<std::string>& modules) {
  auto kept = without(facts.strings("model.offload_modules"), modules);
  const bool none = kept.empty();
  std::vector<Edit> edits{set_names(facts, "model.offload_modules", std::move(kept))};
  if (none && facts.on("model.fine_grained_activation_offloading"))
    edits.push_back(switch_off(facts, "model.fine_grained_activation_offloading"));
  return edits;
}

std::vector<Edit> without_recompute_of(const Facts& facts, std::string_view module) {
  auto kept = without(facts.recompute_modules(), {std::string(module)});
  std::vector<Edit> edits;
  if (kept.empty()) {
    edits = no_recompute(facts);
    // Some checks look at the list even when nothing is recomputed.
    if (facts.given("model.recompute_modules")) edits.push_back(clear(facts, "model.recompute_modules"));
  } else
    edits.push_back(set("model.recompute_modules", std::move(kept)));
  if (module == "moe" && facts.on("model.moe_layer_recompute")) edits.push_back(switch_off(facts, "model.moe_layer_recompute"));
  return edits;
}

}  // namespace spillway::validate
