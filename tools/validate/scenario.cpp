#include "tools/validate/scenario.hpp"

#include <algorithm>
#include "base/secrets.hpp"

namespace spillway::validate {

using config::Launcher;
using config::Setting;
using config::Value;
namespace tables = config::tables;

namespace {

Launcher launcher_of(const Question& question) { return question.launcher.value_or(question.config.launcher.value_or(Launcher::kBridge)); }

std::string script_of(const Question& question) {
  if (!question.script.empty()) return question.script;
  const Setting* launched = question.config.find("launch.script");
  return launched != nullptr && launched->value.string() != nullptr ? *launched->value.string() : "gpt";
}

std::vector<std::uint32_t> line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts = {0};
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
    starts.push_back(static_cast<std::uint32_t>(end + 1));
  return starts;
}

std::string env_text(const Value& value) { return value.str(); }

bool states(const Scenario& scenario, std::string_view key) {
  const Setting* setting = scenario.given(key);
  return setting != nullptr && !setting->value.is_unknown() && !setting->value.is_null();
}

/// Layers may be given as a pattern of layer types instead of a count, or as those of an encoder.
bool states_model(const Scenario& scenario) {
  const bool layers = states(scenario, "model.num_layers") || states(scenario, "args.hybrid_layer_pattern") ||
                      states(scenario, "model.hybrid_layer_pattern") || states(scenario, "args.hybrid_override_pattern") ||
                      states(scenario, "args.encoder_num_layers");
  return layers && states(scenario, "model.hidden_size");
}

std::string_view form_of(const Question& question, const Setting& setting) {
  const auto at = static_cast<std::size_t>(setting.origin.source);
  return setting.origin.source >= 0 && at < question.config.sources.size() ? std::string_view(question.config.sources[at].form)
                                                                           : std::string_view();
}

/// The path without Hydra's signs in front.
std::string_view path_of(const Setting& setting) {
  const std::string_view spelling = setting.origin.spelling;
  return spelling.substr(std::min(spelling.find_first_not_of("+~"), spelling.size()));
}

bool is_nested(const Setting& setting) { return path_of(setting).starts_with("model.transformer."); }

/// A recipe has its style, a dump of a whole configuration shows it, and otherwise any path of the one style speaks for it.
bool is_builder_style(const Question& question, const std::optional<tables::Recipe>& recipe) {
  if (recipe) return recipe->builder_style;
  const auto& settings = question.config.settings;
  const auto dumped = [&](const Setting& setting) {
    return setting.key.starts_with("model.") && form_of(question, setting) == "bridge-dump";
  };
  const bool dump = std::any_of(settings.begin(), settings.end(), dumped);
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& s) { return is_nested(s) && (!dump || dumped(s)); });
}

}  // namespace

Scenario::Scenario(const Question& question)
    : launcher(launcher_of(question)),
      core(question.core.value_or(launcher == Launcher::kBridge ? config::Core::kBridgePin : config::Core::kMain)),
      te(question.te.value_or(kAssumedTe)),
      torch(question.torch),
      script(script_of(question)),
      env_stated(question.env_stated),
      question_(question) {
  for (const auto& source : question.config.sources) {
    shown_.push_back(masked(source.text));
    lines_.push_back(line_starts(source.text));
  }
  if (question.saved) saved_ = std::make_unique<const Scenario>(*question.saved);
  if (question.config.recipe) {
    recipe_asked = question.config.recipe->value.str();
    recipe = tables::find_recipe(recipe_asked);
  }
  for (const auto& remark : question.config.remarks) open_ended = open_ended || remark.kind == config::Remark::Kind::kOpenWords;
  // What may be given otherwise where nobody can see it is no longer what the recipe says.
  if (recipe && !open_ended)
    for (const auto& setting : recipe->settings) given_[setting.key] = &setting;
  builder_style = is_builder_style(question, recipe);
  // A model of the other style has no section `transformer`: Bridge drops what stands in it, with a warning.
  for (const auto& setting : question.config.settings)
    if (builder_style || !is_nested(setting)) given_[setting.key] = &setting;
  complete = recipe.has_value() || states_model(*this);

  for (const auto& [key, setting] : given_)
    if (key.starts_with("env.")) set_env(key.substr(4), env_text(setting->value));
  for (const auto& [name, value] : question.env) set_env(name, value);

  if (launcher == Launcher::kMegatronLm) normalise_megatron_lm(*this);
  if (launcher == Launcher::kBridge) normalise_bridge(*this);
  normalise_core(*this);
  graphs = resolve_graphs(*this);
}

const Setting* Scenario::given(std::string_view key) const {
  const auto found = given_.find(key);
  return found == given_.end() ? nullptr : found->second;
}

std::string_view Scenario::line(const config::Origin& origin) const {
  const auto source = static_cast<std::size_t>(origin.source), number = static_cast<std::size_t>(origin.line);
  if (origin.source < 0 || source >= lines_.size() || origin.line <= 0 || number > lines_[source].size()) return {};
  const std::string_view rest = std::string_view(shown_[source]).substr(lines_[source][number - 1]);
  return rest.substr(0, rest.find('\n'));
}

const Value* Scenario::derived(std::string_view key) const {
  const auto found = derived_.find(key);
  return found == derived_.end() ? nullptr : &found->second;
}

std::optional<Value> Scenario::fallback(std::string_view key) const {
  if (launcher == Launcher::kMegatronLm) {
    if (const auto flag = tables::find_flag_of_key(key, core, script)) return flag->fallback;
  }
  if (const auto field = tables::find_field(key, core)) return field->fallback;
  if (const auto known = tables::find_key(key)) return known->fallback;
  return std::nullopt;
}

const std::string* Scenario::env(std::string_view name) const {
  const auto found = env_.find(name);
  return found == env_.end() ? nullptr : &found->second;
}

void Scenario::derive(std::string_view key, Value value) { derived_.insert_or_assign(std::string(key), std::move(value)); }

bool Scenario::uncertain(std::string_view key) const {
  if (const Value* value = derived(key)) return value->is_unknown();
  if (const Setting* setting = given(key)) return setting->value.is_unknown();
  return !complete || open_ended;
}

void Scenario::derive_if(bool condition, std::string_view key, Value value, std::initializer_list<std::string_view> inputs) {
  for (const auto input : inputs)
    if (uncertain(input)) return derive(key, config::Unknown{std::string(input), "it follows from this key"});
  if (condition) derive(key, std::move(value));
}

Value Scenario::current(std::string_view key) const {
  if (const Value* value = derived(key)) return *value;
  if (const Setting* setting = given(key)) return setting->value;
  return fallback(key).value_or(Value());
}

void Scenario::set_env(std::string name, std::string value) {
  env_stated = true;
  env_.insert_or_assign(std::move(name), std::move(value));
}

}  // namespace spillway::validate
