#include "tools/config/train_config.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/secrets.hpp"
#include "base/text.hpp"

namespace spillway::config {
namespace {

struct LauncherName {
  std::string_view name;
  Launcher launcher;
};

/// The first spelling of each launcher is its official name.
constexpr LauncherName kLaunchers[] = {
    {"bridge", Launcher::kBridge},
    {"megatron-lm", Launcher::kMegatronLm},
    {"megatron-lm-yaml", Launcher::kMegatronLmYaml},
    {"megatron-core", Launcher::kMegatronCore},
    {"megatron-bridge", Launcher::kBridge},
    {"mbridge", Launcher::kBridge},
    {"mb", Launcher::kBridge},
    {"nemo-bridge", Launcher::kBridge},
    {"mlm", Launcher::kMegatronLm},
    {"megatron", Launcher::kMegatronLm},
    {"megatronlm", Launcher::kMegatronLm},
    {"mlm-yaml", Launcher::kMegatronLmYaml},
    {"yaml-cfg", Launcher::kMegatronLmYaml},
    {"core", Launcher::kMegatronCore},
    {"mcore", Launcher::kMegatronCore},
};

/// A value without the secrets in it; a null, a boolean and what is not known are none.
Value without_secrets(const Value& value, bool secret) {
  if (const Unknown* open = value.unknown()) return Unknown{masked(open->text), open->reason};
  if (value.is_null() || value.boolean()) return value;
  if (secret) return Value(kMask);
  if (const auto* text = value.string()) return Value(masked(*text));
  if (const List* items = value.list()) {
    List out;
    for (const auto& item : *items) out.push_back(without_secrets(item, false));
    return out;
  }
  if (const Map* entries = value.map()) {
    Map out;
    for (const auto& [key, item] : *entries) out.emplace_back(key, without_secrets(item, names_secret(key)));
    return out;
  }
  return value;
}

/// No rule looks at a secret, and no answer may show one: from here on there is none.
void hide_secret(Setting& setting) {
  setting.value = without_secrets(setting.value, names_secret(setting.key) || names_secret(setting.origin.spelling));
  setting.origin.spelling = masked(setting.origin.spelling);
}

void hide_secret(Remark& remark) {
  const bool secret = names_secret(remark.subject) || names_secret(remark.origin.spelling);
  if (secret && !remark.detail.empty()) remark.detail = (remark.detail.starts_with('=') ? "=" : "") + std::string(kMask);
  remark.detail = masked(remark.detail);
  remark.subject = masked(remark.subject);
  remark.origin.spelling = masked(remark.origin.spelling);
}

/// So many remarks of one kind from one source are judged: enough for any text that a person wrote. Rules compare remarks with each other.
constexpr std::size_t kMostAlike = 200;

/// Leaves the first of each kind, and one remark that says how many were left out.
void ration(std::vector<Remark>& remarks) {
  std::map<Remark::Kind, std::size_t> seen;
  std::size_t dropped = 0;
  Origin first;
  std::vector<Remark> kept;
  for (auto& remark : remarks) {
    if (++seen[remark.kind] <= kMostAlike) {
      kept.push_back(std::move(remark));
    } else if (dropped++ == 0) {
      first = remark.origin;
    }
  }
  const std::string most = std::to_string(kMostAlike);
  if (dropped > 0)
    kept.push_back({Remark::Kind::kIgnored,
                    std::to_string(dropped) + " more oddities",
                    "only the first " + most + " of each kind are judged; correct those first",
                    {},
                    {},
                    first});
  remarks = std::move(kept);
}

}  // namespace

std::string_view name(Launcher launcher) { return kLaunchers[static_cast<std::size_t>(launcher)].name; }

std::optional<Launcher> parse_launcher(std::string_view text) {
  std::string wanted = lower(trim(text));
  for (char& c : wanted)
    if (c == '_' || c == ' ') c = '-';
  for (const auto& entry : kLaunchers)
    if (entry.name == wanted) return entry.launcher;
  return std::nullopt;
}

bool is_file(const Source& source) {
  constexpr std::string_view kTexts[] = {"--set", "--args", "-", "config_text"};
  return std::find(std::begin(kTexts), std::end(kTexts), source.name) == std::end(kTexts);
}

const Setting* TrainConfig::find(std::string_view key) const {
  for (auto setting = settings.rbegin(); setting != settings.rend(); ++setting)
    if (setting->key == key) return &*setting;
  return nullptr;
}

void TrainConfig::stack(Source source, Reading reading) {
  const int index = static_cast<int>(sources.size());
  source.form = reading.form;
  sources.push_back(std::move(source));
  for (auto& setting : reading.settings) {
    setting.origin.source = index;
    hide_secret(setting);
    settings.push_back(std::move(setting));
  }
  ration(reading.remarks);
  for (auto& remark : reading.remarks) {
    remark.origin.source = index;
    hide_secret(remark);
    remarks.push_back(std::move(remark));
  }
  if (reading.launcher && !launcher) launcher = reading.launcher;
  if (reading.recipe) {
    reading.recipe->origin.source = index;
    recipe = std::move(reading.recipe);
  }
}

}  // namespace spillway::config
