#include "tools/validate/effective.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace spillway::validate {
namespace {

using config::List;
using config::Origin;
using config::Setting;
using config::Value;

Value list_of(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return Value(List(names.begin(), names.end()));
}

/// A value that several spellings stand for; it is read after upstream's own resolution.
struct Resolved {
  std::string_view key;
  std::array<std::string_view, 5> spellings;
  Value (*read)(const Facts&);
};

const Resolved kResolved[] = {
    {"model.cuda_graph_impl",
     {"model.cuda_graph_impl", "model.cuda_graph_scope", "model.cuda_graph_modules", "model.enable_cuda_graph",
      "model.external_cuda_graph"},
     [](const Facts& facts) { return facts.graphs().whole_iteration ? Value("full_iteration") : Value(facts.graphs().impl); }},
    {"model.cuda_graph_modules",
     {"model.cuda_graph_modules", "model.cuda_graph_scope", "model.cuda_graph_impl"},
     [](const Facts& facts) { return list_of(facts.graphs().modules); }},
    {"model.recompute_granularity",
     {"model.recompute_granularity", "model.moe_layer_recompute", "args.recompute_activations"},
     [](const Facts& facts) { return facts.recompute_granularity(); }},
    {"model.recompute_modules",
     {"model.recompute_modules", "model.moe_layer_recompute"},
     [](const Facts& facts) { return list_of(facts.recompute_modules()); }},
};

const Resolved* resolved(std::string_view key) {
  const auto found = std::find_if(std::begin(kResolved), std::end(kResolved), [&](const Resolved& each) { return each.key == key; });
  return found == std::end(kResolved) ? nullptr : &*found;
}

bool spells(const Resolved& value, std::string_view key) {
  return std::find(value.spellings.begin(), value.spellings.end(), key) != value.spellings.end();
}

/// Lists that upstream takes for sets.
bool is_set(std::string_view key) { return key == "model.offload_modules"; }
bool is_dtype(std::string_view key) { return key.ends_with("dtype"); }

std::optional<double> number(const Value& value) {
  if (const bool* flag = value.boolean()) return *flag ? 1 : 0;
  if (const auto* integer = value.integer()) return static_cast<double>(*integer);
  if (const double* real = value.real()) return *real;
  return std::nullopt;
}

bool equal(const Value& a, const Value& b) {
  const auto left = number(a), right = number(b);
  return left && right ? *left == *right : a == b;
}

}  // namespace

bool is_spelling(std::string_view key) {
  if (key.starts_with("env_vars.")) return true;  // It is env.NAME.
  return resolved(key) == nullptr &&
         std::any_of(std::begin(kResolved), std::end(kResolved), [&](const Resolved& value) { return spells(value, key); });
}

bool Effective::same(const Effective& other) const {
  if (!value || !other.value) return value.has_value() == other.value.has_value();
  return equal(*value, *other.value);
}

std::vector<std::string> EffectiveValues::keys() const {
  std::set<std::string> out;
  for (auto& key : scenario_.keys()) {
    for (const auto& value : kResolved)
      if (spells(value, key)) out.emplace(value.key);
    if (!is_spelling(key)) out.insert(std::move(key));
  }
  return {out.begin(), out.end()};
}

Effective EffectiveValues::at(std::string_view key) {
  facts_.begin_rule();
  Effective out{value(key), origin(key)};
  if (facts_.unknown().empty()) return out;
  const Setting* setting = facts_.setting(key);
  const bool unresolved = setting != nullptr && setting->value.is_unknown();
  out.value = unresolved ? std::optional<Value>(setting->value) : std::nullopt;
  return out;
}

std::optional<Value> EffectiveValues::value(std::string_view key) {
  if (key.starts_with("env.")) {
    const std::string* text = scenario_.env(key.substr(4));
    return text == nullptr ? std::nullopt : std::optional<Value>(*text);
  }
  if (const Resolved* special = resolved(key)) return special->read(facts_);
  const bool known = scenario_.given(key) != nullptr || scenario_.derived(key) != nullptr || scenario_.fallback(key);
  if (!known) return std::nullopt;
  const Value& found = facts_.value(key);
  if (is_dtype(key) && found.string() != nullptr) return Value(facts_.dtype(key));
  if (is_set(key) && found.list() != nullptr) return list_of(facts_.strings(key));
  return found;
}

std::optional<Origin> EffectiveValues::origin(std::string_view key) const {
  const Setting* setting = facts_.setting(key);
  if (setting == nullptr && key.starts_with("env.")) setting = facts_.setting("env_vars." + std::string(key.substr(4)));
  if (const Resolved* special = resolved(key))
    for (const auto spelling : special->spellings)
      if (setting == nullptr && !spelling.empty()) setting = facts_.setting(spelling);
  return setting == nullptr || setting->origin.source < 0 ? std::nullopt : std::optional<Origin>(setting->origin);
}

}  // namespace spillway::validate
