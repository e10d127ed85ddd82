#include "tools/config/python_machine.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

/// A value used under many names is copied many times; beyond this many bytes in all, copies are left unresolved.
constexpr std::size_t kMaxCopied = 32u << 20;
/// Looking for near names costs a pass over all of them, dropping a section one over all settings.
constexpr int kMaxSuggested = 64, kMaxReplaced = 256;

/// Parts in which no check of offloading looks: what is changed there unseen is only left out.
constexpr std::string_view kAside[] = {"dataset",    "tokenizer", "logger",    "profiling",      "rng", "validation",
                                       "checkpoint", "scheduler", "straggler", "nvrx_straggler", "ft",  "inprocess_restart"};

/// What people call the configuration when the text does not say where it comes from.
constexpr std::string_view kRoots[] = {"c", "cfg", "conf", "config", "recipe"};

struct ClassSection {
  std::string_view ending;
  std::string_view section;
};

/// Endings of class names; the more particular ones stand first.
constexpr ClassSection kClasses[] = {
    {"ConfigContainer", ""},
    {"DistributedDataParallelConfig", "ddp"},
    {"OptimizerConfig", "optimizer"},
    {"MixedPrecisionConfig", "mixed_precision"},
    {"CommOverlapConfig", "comm_overlap"},
    {"CheckpointConfig", "checkpoint"},
    {"DistributedInitConfig", "dist"},
    {"RerunStateMachineConfig", "rerun_state_machine"},
    {"SchedulerConfig", "scheduler"},
    {"TrainingConfig", "train"},
    {"ValidationConfig", "validation"},
    {"LoggerConfig", "logger"},
    {"TokenizerConfig", "tokenizer"},
    {"ProfilingConfig", "profiling"},
    {"RNGConfig", "rng"},
    {"DatasetConfig", "dataset"},
    {"DatasetProvider", "dataset"},
    {"OverrideProvider", "optimizer_config_override_provider"},
    {"TransformerConfig", "model"},
    {"ModelParallelConfig", "model"},
    {"ModelProvider", "model"},
    {"Provider", "model"},
    {"ModelConfig", "model"},
    {"LoRA", "peft"},
    {"DoRA", "peft"},
};

bool is_aside(std::string_view path) {
  return std::find(std::begin(kAside), std::end(kAside), path.substr(0, path.find('.'))) != std::end(kAside);
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// Roughly what a copy of it takes.
std::size_t weight(const Value& value) {
  std::size_t total = sizeof(Value);
  if (const auto* text = value.string()) total += text->size();
  if (const List* items = value.list())
    for (const auto& item : *items) total += weight(item);
  if (const Map* entries = value.map())
    for (const auto& [key, item] : *entries) total += key.size() + weight(item);
  return total;
}

}  // namespace

std::optional<std::string> section_of_class(std::string_view name) {
  name = last_part(name);
  if (name.empty() || !is_capital(name.front())) return std::nullopt;
  for (const auto& entry : kClasses)
    if (name.ends_with(entry.ending)) return std::string(entry.section);
  return std::nullopt;
}

PythonMachine::Variable* PythonMachine::find(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto known = scope->variables.find(name); known != scope->variables.end()) return &known->second;
  return nullptr;
}

/// The variable that an assignment in the present scope changes.
PythonMachine::Variable& PythonMachine::target(const std::string& name) {
  Scope& scope = scopes_.back().globals.contains(name) ? scopes_.front() : scopes_.back();
  return scope.variables[name];
}

PythonTerm PythonMachine::look_up(std::string_view name) {
  if (name == "True") return {true, {}, {}, {}};
  if (name == "False") return {false, {}, {}, {}};
  if (name == "None") return {Null{}, {}, {}, {}};
  if (Variable* known = find(name)) {
    if (!known->taken.empty()) taken(std::string(name), "its default, " + std::exchange(known->taken, {}), known->origin);
    copied_ += weight(known->term.value);
    PythonTerm out = known->term;
    if (copied_ > kMaxCopied) out = {Unknown{std::string(name), "too many copies of it"}, {}, {}, {}};
    out.variable = name;
    return out;
  }
  if (const auto imported = imports_.find(name); imported != imports_.end()) return {Unknown{}, {}, imported->second, {}};
  if (std::find(std::begin(kRoots), std::end(kRoots), name) != std::end(kRoots)) return {Unknown{}, "", {}, {}};
  return {Unknown{}, {}, std::string(name), {}};
}

PythonTerm PythonMachine::attribute(const PythonTerm& of, std::string_view name) const {
  PythonTerm out;
  if (of.path && name == "__dict__")
    out = of;
  else if (of.path)
    out.path = of.path->empty() ? std::string(name) : *of.path + "." + std::string(name);
  else if (of.within)
    out.within = of.within;
  else if (!of.name.empty())
    out.name = of.name + "." + std::string(name);
  if (of.method.empty() && (of.value.list() != nullptr || of.value.map() != nullptr)) {
    out.value = of.value;
    out.variable = of.variable;
    out.method = name;
  }
  return out;
}

std::string PythonMachine::unset(std::string_view path) const { return "this text does not say what " + std::string(path) + " is"; }

Value PythonMachine::value_of(const PythonTerm& term, std::string_view written) {
  const auto unknown = [&](std::string reason) { return Unknown{std::string(written.substr(0, 200)), std::move(reason)}; };
  if (!term.method.empty()) return unknown("it is computed when the run starts");
  if (term.more) return unknown("a part of it is not known");
  if (term.path) {
    const Setting* setting = current(canonical_key(*term.path));
    if (setting == nullptr || setting->value.is_unknown()) return unknown(unset(written.substr(0, 100)));
    copied_ += weight(setting->value);
    return copied_ <= kMaxCopied ? setting->value : Value(unknown("too many copies of it"));
  }
  if (!term.value.is_unknown()) return term.value;
  if (!term.function.empty() && tables::find_precision(last_part(term.function))) return last_part(term.function);
  if (!term.function.empty()) return unknown("a function computes it when the run starts");
  if (term.name.empty())
    return unknown(term.value.unknown()->reason.empty() ? "it is computed when the run starts" : term.value.unknown()->reason);
  const auto owner = parent_part(term.name);
  if (owner.empty()) return unknown("the name " + term.name + " is not set in this text");
  if (is_capital(last_part(owner).front())) return last_part(term.name);
  const bool module = owner == "torch" || owner.starts_with("torch.") ||
                      std::any_of(imports_.begin(), imports_.end(), [&](const auto& entry) { return entry.second == owner; });
  if (module || is_capital(last_part(term.name).front())) return term.name;
  return unknown(unset(written.substr(0, 100)));
}

/// What a variable holds: an object of the configuration itself, of anything else the value that it has now. A list stays the same list.
PythonMachine::Variable PythonMachine::settled(PythonTerm term) {
  term.variable.clear();
  if (!term.path || term.path->empty()) return {std::move(term)};
  const std::string key = canonical_key(*term.path);
  const KeyFacts facts = key_facts(key, kNewestCore);
  const Setting* setting = current(key);
  if (facts.section || (!facts.known && setting == nullptr)) return {std::move(term)};
  Variable out{{value_of(term, *term.path), {}, {}, {}}};
  if (out.term.value.list() != nullptr || out.term.value.map() != nullptr) out.shared.push_back(key);
  if (out.term.value.is_unknown() && (facts.list || !facts.known)) out.term.within = *term.path;
  return out;
}

void PythonMachine::bind(const std::string& name, PythonTerm term, std::string_view written) {
  const Variable* before = find(name);
  if (condition != 0) {
    const bool same = before != nullptr && before->term.path == term.path && (term.path || before->term.value == term.value);
    if (same && !(term.value.is_unknown() && !term.path)) return;
    // Which object it is depends on the condition; whatever is done to it may be done to the configuration.
    if (term.reach() || (before != nullptr && before->term.reach())) {
      const bool only = before == nullptr && term.path;
      if (!only) term = {Unknown{}, {}, {}, {}, std::string()};
    } else {
      return bind_unknown(name, written, "it depends on the condition in line " + std::to_string(condition));
    }
  }
  if (!term.function.empty()) term = {value_of(term, written), {}, {}, {}, term.within};
  target(name) = settled(std::move(term));
}

void PythonMachine::bind_unknown(const std::string& name, std::string_view written, std::string reason) {
  target(name) = {{Unknown{std::string(written.substr(0, 200)), std::move(reason)}, {}, {}, {}}};
}

void PythonMachine::bind_argument(const std::string& name, PythonTerm term) {
  if (!term.function.empty()) term = {value_of(term, name), {}, {}, {}, term.within};
  target(name) = settled(std::move(term));
}

void PythonMachine::bind_default(const std::string& name, PythonTerm term, std::string_view written, const Origin& origin) {
  const bool said = !term.path && !term.value.is_unknown();
  term.variable.clear();
  target(name) = {std::move(term), said ? std::string(written.substr(0, 200)) : std::string(), origin};
}

void PythonMachine::replace_container(const std::string& variable, Value value, std::string_view written, const Origin& origin) {
  Variable* known = find(variable);
  if (known == nullptr) return;
  const std::string reason = "it shares a value that line " + std::to_string(origin.line) + " changes";
  for (const auto& key : known->shared) forget(key, reason);
  if (condition != 0)
    value = Unknown{std::string(written.substr(0, 200)), "it depends on the condition in line " + std::to_string(condition)};
  known->term.value = std::move(value);
}

void PythonMachine::import(const std::string& name, std::string dotted) {
  scopes_.back().variables.erase(name);
  imports_[name] = std::move(dotted);
}

/// What a key was set to is no longer what it is.
void PythonMachine::forget(const std::string& key, const std::string& reason) {
  const auto found = last_.find(key);
  if (found == last_.end()) return;
  Setting& setting = reading.settings[found->second];
  if (setting.value.is_unknown()) return;
  const Unknown open{setting.value.repr().substr(0, 200), reason};
  unresolved(key, open, setting.origin);
  setting.value = open;
}

const Setting* PythonMachine::current(const std::string& key) const {
  const auto found = last_.find(key);
  return found == last_.end() ? nullptr : &reading.settings[found->second];
}

void PythonMachine::unresolved(const std::string& key, const Unknown& what, const Origin& origin) {
  reading.remarks.push_back({Remark::Kind::kUnresolved, key, what.text, what.reason, {}, origin});
}

void PythonMachine::ignored(std::string subject, std::string why, const Origin& origin) {
  reading.remarks.push_back({Remark::Kind::kIgnored, std::move(subject), std::move(why), {}, {}, origin});
}

void PythonMachine::taken(std::string subject, std::string as, const Origin& origin) {
  std::string detail = subject;
  reading.remarks.push_back({Remark::Kind::kTakenAs, std::move(subject), std::move(detail), std::move(as), {}, origin});
}

void PythonMachine::oddities(const std::string& key, const Value& value, const Origin& origin) {
  const KeyFacts facts = key_facts(key, context_.core);
  const auto remark = [&](Remark::Kind kind, std::string detail) {
    reading.remarks.push_back({kind, key, std::move(detail), {}, {}, origin});
  };
  if (!facts.known && !is_foreign_path(key)) {
    remark(Remark::Kind::kUnknownKey, {});
    if (++suggested_ <= kMaxSuggested) reading.remarks.back().suggestions = suggest_keys(key);
  }
  const auto* text = value.string();
  if (text == nullptr) return;
  if (*text == "None") remark(Remark::Kind::kNoneString, {});
  if (facts.boolean && is_boolean_word(*text)) remark(Remark::Kind::kBoolString, *text);
  if (facts.list && *text != "None") remark(Remark::Kind::kListString, *text);
}

void PythonMachine::set(const std::string& path, Value value, Origin origin) {
  if (path.empty() || path.size() > 10 * kMaxKeyBytes) return;
  const std::string key = canonical_key(path);
  if (const Map* variables = value.map(); variables != nullptr && key == "env_vars") {
    for (const auto& [name, inner] : Map(*variables)) set(key + "." + name, inner, origin);
    return;
  }
  if (key.starts_with("env.") || key.starts_with("args.")) return;
  const Setting* before = current(key);
  if (lost_) value = Unknown{value.repr().substr(0, 200), "more is changed unseen than is followed"};
  if (condition != 0 && !(before != nullptr && before->value == value))
    value = Unknown{value.is_unknown() ? value.unknown()->text : value.repr().substr(0, 200),
                    "it depends on the condition in line " + std::to_string(condition)};
  if (before != nullptr && condition == 0) reading.remarks.push_back({Remark::Kind::kDuplicate, key, {}, {}, {}, origin});
  if (const Unknown* open = value.unknown()) unresolved(key, *open, origin);
  oddities(key, value, origin);
  last_[key] = reading.settings.size();
  reading.settings.push_back({key, std::move(value), std::move(origin)});
}

void PythonMachine::set_from(const PythonTerm& term, const std::string& path, Value value, Origin origin) {
  const bool container = value.list() != nullptr || value.map() != nullptr;
  if (Variable* known = container && !term.variable.empty() ? find(term.variable) : nullptr) known->shared.push_back(canonical_key(path));
  set(path, std::move(value), std::move(origin));
}

void PythonMachine::set_environment(const std::string& name, Value value, Origin origin) {
  if (name.empty() || name.size() > kMaxKeyBytes) return;
  const std::string key = "env." + name;
  if (condition != 0) value = Unknown{value.repr().substr(0, 200), "it depends on the condition in line " + std::to_string(condition)};
  if (const Unknown* open = value.unknown()) unresolved(key, *open, origin);
  last_[key] = reading.settings.size();
  reading.settings.push_back({key, std::move(value), std::move(origin)});
}

void PythonMachine::replace_section(const std::string& path, std::size_t mark, std::string_view written, const Origin& origin) {
  if (condition != 0) return may_change(path, written, origin);
  if (++replaced_ > kMaxReplaced) lost_ = true;
  if (lost_) return;
  const std::string prefix = canonical_key(path + ".x");
  const std::string_view section = std::string_view(prefix).substr(0, prefix.size() - 1);
  auto& settings = reading.settings;
  const auto end = settings.begin() + static_cast<std::ptrdiff_t>(mark);
  const auto gone = std::remove_if(settings.begin(), end, [&](const Setting& setting) { return setting.key.starts_with(section); });
  settings.erase(gone, end);
  last_.clear();
  for (std::size_t i = 0; i < settings.size(); ++i) last_[settings[i].key] = i;
  const auto base = reading.recipe ? tables::find_recipe(reading.recipe->value.str()) : std::nullopt;
  if (!base) return;
  // The base recipe's values belong to the object that was there before. Models have defaults of their own class, which is not followed.
  const Unknown open{std::string(written.substr(0, 200)), "a new object has its class's default"};
  for (const auto& setting : base->settings) {
    if (!setting.key.starts_with(section) || last_.contains(setting.key)) continue;
    const auto key = section == "model." ? std::nullopt : tables::find_key(setting.key);
    settings.push_back({setting.key, key && !key->required ? key->fallback : Value(open), origin});
  }
}

void PythonMachine::may_change(const std::string& path, std::string_view written, const Origin& origin) {
  const std::string text(written.substr(0, 200));
  const KeyFacts facts = key_facts(canonical_key(path), kNewestCore);
  if (!path.empty() && facts.known && !facts.section)
    return set(path, Unknown{text, "it is changed where this text does not tell"}, origin);
  const std::string prefix = path.empty() ? std::string() : canonical_key(path + ".x");
  const std::string_view section = std::string_view(prefix).substr(0, prefix.empty() ? 0 : prefix.size() - 1);
  if (++replaced_ > kMaxReplaced) lost_ = true;
  if (replaced_ > kMaxReplaced + 1) return;
  const std::string reason = text.substr(0, 80) + " in line " + std::to_string(origin.line) + " may change it";
  for (const auto& [key, index] : last_) {
    Setting& setting = reading.settings[index];
    const bool reached = key.starts_with(section) && !key.starts_with("env.");
    if ((lost_ || reached) && !setting.value.is_unknown()) setting.value = Unknown{setting.value.repr().substr(0, 200), reason};
  }
  const std::string what = path.empty() ? "any value of the configuration" : "any value of " + path;
  if (is_aside(path) && !lost_) return ignored(text, "it may change " + what, origin);
  reading.remarks.push_back({Remark::Kind::kOpenWords, text, text, "it may change " + (lost_ ? "any value" : what), {}, origin});
}

void PythonMachine::replaced_unseen(const std::string& path, std::string_view written, const Origin& origin) {
  if (is_aside(path) || !key_facts(canonical_key(path), kNewestCore).section) return;
  may_change(path, written, origin);
}

void PythonMachine::recipe(std::string_view name, const Origin& origin) {
  // What was set before belongs to another configuration.
  const bool assigned = std::any_of(reading.settings.begin(), reading.settings.end(), [](const Setting& setting) {
    return !setting.key.starts_with("env.") && setting.origin.spelling.find('.') != std::string::npos;
  });
  if (reading.recipe || assigned) may_change("", name, origin);
  reading.recipe = Setting{"recipe", name, origin};
  reading.recipe->origin.spelling = name;
  uses_bridge = true;
}

}  // namespace spillway::config
