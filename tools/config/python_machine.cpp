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

PythonTerm PythonMachine::look_up(std::string_view name) {
  if (name == "True") return {true, {}, {}, {}};
  if (name == "False") return {false, {}, {}, {}};
  if (name == "None") return {Null{}, {}, {}, {}};
  if (const auto known = variables_.find(name); known != variables_.end()) {
    copied_ += weight(known->second.value);
    if (copied_ <= kMaxCopied) return known->second;
    return {Unknown{std::string(name), "too many copies of it"}, {}, {}, {}};
  }
  if (const auto imported = imports_.find(name); imported != imports_.end()) return {Unknown{}, {}, imported->second, {}};
  if (std::find(std::begin(kRoots), std::end(kRoots), name) != std::end(kRoots)) return {Unknown{}, "", {}, {}};
  return {Unknown{}, {}, std::string(name), {}};
}

PythonTerm PythonMachine::attribute(const PythonTerm& of, std::string_view name) const {
  PythonTerm out;
  if (of.path)
    out.path = of.path->empty() ? std::string(name) : *of.path + "." + std::string(name);
  else if (!of.name.empty())
    out.name = of.name + "." + std::string(name);
  return out;
}

std::string PythonMachine::unset(std::string_view path) const { return "this text does not say what " + std::string(path) + " is"; }

Value PythonMachine::value_of(const PythonTerm& term, std::string_view written) {
  const auto unknown = [&](std::string reason) { return Unknown{std::string(written.substr(0, 200)), std::move(reason)}; };
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

void PythonMachine::bind(const std::string& name, PythonTerm term, std::string_view written) {
  if (condition != 0 && !term.path) {
    const auto before = variables_.find(name);
    if (before != variables_.end() && before->second.value == term.value) return;
    term = {Unknown{std::string(written.substr(0, 200)), "it depends on the condition in line " + std::to_string(condition)}, {}, {}, {}};
  }
  if (!term.function.empty()) term = {value_of(term, written), {}, {}, {}};
  variables_[name] = std::move(term);
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
  if (condition != 0 && !(before != nullptr && before->value == value))
    value = Unknown{value.is_unknown() ? value.unknown()->text : value.repr().substr(0, 200),
                    "it depends on the condition in line " + std::to_string(condition)};
  if (before != nullptr && condition == 0) reading.remarks.push_back({Remark::Kind::kDuplicate, key, {}, {}, {}, origin});
  if (const Unknown* open = value.unknown()) unresolved(key, *open, origin);
  oddities(key, value, origin);
  last_[key] = reading.settings.size();
  reading.settings.push_back({key, std::move(value), std::move(origin)});
}

void PythonMachine::replace_section(const std::string& path, std::size_t mark) {
  if (condition != 0 || ++replaced_ > kMaxReplaced) return;
  const std::string prefix = canonical_key(path + ".x");
  const std::string_view section = std::string_view(prefix).substr(0, prefix.size() - 1);
  auto& settings = reading.settings;
  const auto end = settings.begin() + static_cast<std::ptrdiff_t>(mark);
  const auto gone = std::remove_if(settings.begin(), end, [&](const Setting& setting) { return setting.key.starts_with(section); });
  if (gone == end) return;
  settings.erase(gone, end);
  last_.clear();
  for (std::size_t i = 0; i < settings.size(); ++i) last_[settings[i].key] = i;
}

void PythonMachine::recipe(std::string_view name, const Origin& origin) {
  reading.recipe = Setting{"recipe", name, origin};
  reading.recipe->origin.spelling = name;
  uses_bridge = true;
}

}  // namespace spillway::config
