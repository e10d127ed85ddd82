#include "tools/validate/facts.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "tools/validate/scenario.hpp"

namespace spillway::validate {

using config::List;
using config::Setting;
using config::Value;

namespace {

const Value kNull;

/// torch's own aliases and the spellings of option choices.
struct DtypeAlias {
  std::string_view alias, dtype;
};
constexpr DtypeAlias kDtypes[] = {
    {"fp32", "float32"},  {"float", "float32"},       {"32", "float32"}, {"fp16", "float16"}, {"half", "float16"},   {"16", "float16"},
    {"bf16", "bfloat16"}, {"bf16-mixed", "bfloat16"}, {"fp8", "uint8"},  {"fp64", "float64"}, {"double", "float64"},
};

/// The class that a dump writes for its model: the `_target_` right below the top-level `model:`.
std::string_view class_in_dump(std::string_view text) {
  constexpr std::string_view kTarget = "  _target_:";
  bool inside = false;
  for (const auto line : split(text, '\n')) {
    if (inside && line.starts_with(kTarget)) return trim(line.substr(kTarget.size()));
    if (!line.empty() && line.front() != ' ') inside = line.starts_with("model:");
  }
  return {};
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : text) out.emplace_back(1, c);
  return out;
}

}  // namespace

Facts::Facts(const Scenario& scenario, const Facts* reader) : scenario_(&scenario), reader_(reader) {
  if (scenario.saved() != nullptr) saved_ = std::make_unique<const Facts>(*scenario.saved(), this);
}

std::string dtype_name(std::string_view text) {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  for (const auto& entry : kDtypes)
    if (entry.alias == text) return std::string(entry.dtype);
  return std::string(text);
}

bool Graphs::has(std::string_view module) const { return std::find(modules.begin(), modules.end(), module) != modules.end(); }

config::Launcher Facts::launcher() const { return scenario_->launcher; }
config::Core Facts::core() const { return scenario_->core; }
Version Facts::te() const { return scenario_->te; }
bool Facts::te_absent() const { return scenario_->question().te_absent; }

std::optional<std::int64_t> Facts::world_size() const {
  if (const auto stated = scenario_->question().world_size) return *stated;
  const auto count = [&](std::string_view key) {
    const Setting* setting = scenario_->given(key);
    return setting == nullptr ? nullptr : setting->value.integer();
  };
  if (const auto* world = count("launch.world_size")) return *world;
  if (const auto* nodes = count("launch.nnodes"))
    if (const auto* processes = count("launch.nproc_per_node")) return *nodes * *processes;
  std::int64_t world = 0;
  const std::string* variable = scenario_->env("WORLD_SIZE");
  if (variable == nullptr || std::from_chars(variable->data(), variable->data() + variable->size(), world).ec != std::errc()) return {};
  return world;
}

std::optional<bool> Facts::blackwell() const {
  const std::string gpu = lower(scenario_->question().gpu);
  if (gpu.empty()) return std::nullopt;
  for (const std::string_view name : {"b200", "b300", "gb200", "gb300", "5090"})
    if (gpu.find(name) != std::string::npos) return true;
  return false;
}

std::optional<Version> Facts::torch() const { return scenario_->torch; }
std::string_view Facts::script() const { return scenario_->script; }
const std::vector<config::Remark>& Facts::remarks() const { return scenario_->question().config.remarks; }

const std::vector<config::Setting>& Facts::settings() const { return scenario_->question().config.settings; }

std::string_view Facts::form(const config::Origin& origin) const {
  const auto& sources = scenario_->question().config.sources;
  return origin.source >= 0 && static_cast<std::size_t>(origin.source) < sources.size()
             ? std::string_view(sources[static_cast<std::size_t>(origin.source)].form)
             : std::string_view();
}

std::string_view Facts::line(const config::Origin& origin) const { return scenario_->line(origin); }

bool Facts::path_exists(std::string_view path) const {
  if (!scenario_->recipe) return true;
  constexpr std::string_view kBuilder = "model.transformer.";
  if (path.starts_with("env_vars.")) {
    const auto& base = scenario_->recipe->settings;
    return std::any_of(base.begin(), base.end(), [&](const Setting& setting) { return setting.key == path; });
  }
  if (!path.starts_with("model.")) return true;
  const auto key = config::tables::find_key(path);
  return !key || !key->transformer || path.starts_with(kBuilder) == builder_style();
}

std::string_view Facts::recipe() const { return scenario_->recipe ? scenario_->recipe->name : std::string_view(); }

void Facts::note_unknown(std::string_view key) const {
  if (reader_ != nullptr) return reader_->note_unknown("saved." + std::string(key));
  if (std::find(unknown_.begin(), unknown_.end(), key) == unknown_.end()) unknown_.emplace_back(key);
}

const Value& Facts::fallback(std::string_view key) const {
  const auto found = defaults_.find(key);
  if (found != defaults_.end()) return found->second;
  return defaults_.emplace(std::string(key), scenario_->fallback(key).value_or(Value())).first->second;
}

const Value& Facts::value(std::string_view key) const {
  const Value* derived = scenario_->derived(key);
  if (derived == nullptr) return raw(key);
  if (!derived->is_unknown()) return *derived;
  note_unknown(derived->unknown()->text);
  return fallback(key);
}

const Value& Facts::raw(std::string_view key) const {
  if (const Setting* setting = scenario_->given(key)) {
    if (!setting->value.is_unknown()) return setting->value;
    note_unknown(key);
    return fallback(key);
  }
  if (scenario_->uncertain(key)) note_unknown(key);
  return fallback(key);
}

const Setting* Facts::setting(std::string_view key) const { return scenario_->given(key); }

std::optional<Value> Facts::default_value(std::string_view key) const { return scenario_->fallback(key); }

std::optional<double> Facts::number(std::string_view key) const {
  const Value& found = value(key);
  if (const bool* flag = found.boolean()) return *flag ? 1.0 : 0.0;
  if (const auto* integer = found.integer()) return static_cast<double>(*integer);
  if (const double* real = found.real()) return *real;
  return std::nullopt;
}

std::int64_t Facts::integer(std::string_view key, std::int64_t otherwise) const {
  if (const auto* exact = value(key).integer()) return *exact;
  const auto found = number(key);
  const bool fits = found && *found > -9e18 && *found < 9e18;  // also false for NaN
  return fits ? static_cast<std::int64_t>(*found) : otherwise;
}

std::string_view Facts::text(std::string_view key) const {
  const auto* found = value(key).string();
  return found == nullptr ? std::string_view() : std::string_view(*found);
}

bool Facts::is(std::string_view key, std::string_view wanted) const { return text(key) == wanted && !is_null(key); }

std::string Facts::dtype(std::string_view key) const { return dtype_name(text(key)); }

std::vector<std::string> Facts::strings(std::string_view key) const {
  const Value& found = value(key);
  if (const auto* plain = found.string()) return characters(*plain);
  std::vector<std::string> out;
  if (const List* items = found.list())
    for (const auto& item : *items) out.push_back(item.str());
  return out;
}

bool Facts::lists(std::string_view key, std::string_view member) const {
  const auto all = strings(key);
  return std::find(all.begin(), all.end(), member) != all.end();
}

bool Facts::derived(std::string_view key) const { return scenario_->derived(key) != nullptr; }

const Graphs& Facts::graphs() const {
  // What the resolution started from counts as read, so that an unstated graph setting leaves a rule undecided.
  for (const std::string_view key :
       {"model.cuda_graph_impl", "model.cuda_graph_scope", "model.enable_cuda_graph", "model.external_cuda_graph"})
    raw(key);
  if (core() >= config::Core::k0_18) raw("model.cuda_graph_modules");
  return scenario_->graphs;
}

config::Value Facts::recompute_granularity() const {
  return on("model.moe_layer_recompute") ? Value("selective") : value("model.recompute_granularity");
}

bool Facts::selective() const { return recompute_granularity() == Value("selective"); }

std::vector<std::string> Facts::recompute_modules() const {
  auto modules = is_null("model.recompute_modules") ? std::vector<std::string>{"core_attn"} : strings("model.recompute_modules");
  if (on("model.moe_layer_recompute")) modules.emplace_back("moe");
  return modules;
}

bool Facts::recomputes(std::string_view module) const {
  if (!selective()) return false;
  // Python's `in` looks for a part of the text when the names are one string.
  if (const auto* text = value("model.recompute_modules").string(); text != nullptr && text->find(module) != std::string::npos) return true;
  const auto all = recompute_modules();
  return std::find(all.begin(), all.end(), module) != all.end();
}

std::set<std::string> Facts::offload_modules() const {
  const auto all = strings("model.offload_modules");
  return {all.begin(), all.end()};
}

bool Facts::offloads(std::string_view module) const { return lists("model.offload_modules", module); }

std::optional<std::string> Facts::env(std::string_view name) const {
  if (const std::string* found = scenario_->env(name)) return *found;
  if (!scenario_->env_stated) note_unknown("env." + std::string(name));
  return std::nullopt;
}

std::optional<std::string> Facts::exported(std::string_view name) const {
  const auto& stated = scenario_->question().env;
  if (const auto found = stated.find(std::string(name)); found != stated.end()) return found->second;
  const Setting* setting = scenario_->given("env." + std::string(name));
  return setting != nullptr && !setting->value.is_unknown() ? std::optional(setting->value.str()) : std::nullopt;
}

bool Facts::env_stated() const { return scenario_->env_stated; }

std::string_view Facts::model_class() const {
  if (scenario_->recipe) return scenario_->recipe->model_class;
  for (const auto& source : scenario_->question().config.sources)
    if (source.form == "bridge-dump") return class_in_dump(source.text);
  return {};
}

bool Facts::builder_style() const { return scenario_->builder_style; }

}  // namespace spillway::validate
