#include "tools/config/train_config.hpp"

#include <iterator>

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
    settings.push_back(std::move(setting));
  }
  for (auto& remark : reading.remarks) {
    remark.origin.source = index;
    remarks.push_back(std::move(remark));
  }
  if (reading.launcher && !launcher) launcher = reading.launcher;
  if (reading.recipe) {
    reading.recipe->origin.source = index;
    recipe = std::move(reading.recipe);
  }
}

}  // namespace spillway::config
