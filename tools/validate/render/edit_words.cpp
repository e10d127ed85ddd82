#include "tools/validate/render/edit_words.hpp"

#include "tools/config/arguments.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/shell/words.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::validate::render {
namespace {

using config::Launcher;
using config::ReadContext;

std::string_view context_value(const Answer& answer, std::string_view name) {
  for (const auto& [key, value] : answer.context)
    if (key == name) return value;
  return {};
}

ReadContext reading(const Answer& answer) {
  ReadContext context;
  context.launcher = config::parse_launcher(context_value(answer, "launcher"));
  context.core = config::parse_core(context_value(answer, "mcore")).value_or(config::kNewestCore);
  if (const auto script = context_value(answer, "script"); !script.empty()) context.script = script;
  return context;
}

/// `model.cpu_offloading` in the words of the launcher, for something that is only named.
std::string key_words(const std::string& key, const ReadContext& context) {
  if (context.launcher != Launcher::kMegatronLm) return key;
  const auto flag = config::tables::find_flag_of_key(key, context.core, context.script);
  return flag ? std::string(flag->flag) : key;
}

std::string plain(const Edit& edit, const ReadContext& context) {
  const bool off = edit.value == config::Value(false);
  const std::string key = key_words(edit.key, context);
  if (edit.kind == Edit::Kind::kRemove || (off && key.starts_with("--"))) return "remove " + key;
  return context.launcher == Launcher::kBridge || context.launcher == Launcher::kMegatronLm ? key + "=" + edit.value.str()
                                                                                            : key + ": " + edit.value.str();
}

std::string words_of(const Edit& edit, const ReadContext& context) {
  const bool bridge = context.launcher == Launcher::kBridge, megatron_lm = context.launcher == Launcher::kMegatronLm;
  if (edit.kind == Edit::Kind::kRemove || (!bridge && !megatron_lm)) return plain(edit, context);
  const std::vector<config::Setting> settings = {{edit.key, edit.value, {}}};
  const auto words = bridge ? config::write_overrides(settings, context) : config::write_arguments(settings, context);
  if (!words) return plain(edit, context);
  std::string text;
  for (const auto& word : *words) text += (text.empty() ? "" : " ") + config::shell::quoted_word(word);
  return text.empty() ? plain(edit, context) : text;
}

}  // namespace

std::vector<std::string> edit_words(const Fix& fix, const Answer& answer) {
  const ReadContext context = reading(answer);
  std::vector<std::string> words;
  for (const auto& edit : fix.edits) words.push_back(words_of(edit, context));
  return words;
}

}  // namespace spillway::validate::render
