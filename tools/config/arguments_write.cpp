#include <algorithm>

#include "tools/config/argument_values.hpp"
#include "tools/config/arguments.hpp"

namespace spillway::config {
namespace {

Error not_expressible(const Setting& setting, const std::string& why) {
  return {"not-expressible", setting.key + " = " + setting.value.str() + " cannot be written as a Megatron-LM argument: " + why,
          "set it in another form"};
}

/// The options that write this key, the one that the user spelled first.
std::vector<tables::Flag> candidates(const Setting& setting, const ReadContext& context) {
  std::vector<tables::Flag> found;
  const auto add = [&](std::optional<tables::Flag> flag) {
    if (flag && flag->key == setting.key) found.push_back(std::move(*flag));
  };
  add(tables::find_flag(setting.origin.spelling, context.core, context.script));
  add(tables::find_flag_of_key(setting.key, context.core, context.script));
  return found;
}

/// Every option of the key: the slow way, for the value that the usual option cannot store.
std::vector<tables::Flag> all_candidates(const Setting& setting, const ReadContext& context) {
  std::vector<tables::Flag> found;
  for (const auto name : tables::flag_names(context.core, context.script))
    if (auto flag = tables::find_flag(name, context.core, context.script); flag && flag->key == setting.key)
      found.push_back(std::move(*flag));
  return found;
}

/// A word with a leading dash would be read as an option; attached it is a value.
std::optional<std::vector<std::string>> spelled(const tables::Flag& flag, const Value& value) {
  auto words = words_of(flag, value);
  if (!words) return std::nullopt;
  if (flag.nargs == "+" && words->empty()) return std::nullopt;
  const bool dashed = std::any_of(words->begin(), words->end(), [](const std::string& word) { return word.starts_with('-'); });
  if (dashed && words->size() == 1) return std::vector{std::string(flag.flag) + "=" + words->front()};
  if (dashed) return std::nullopt;
  words->insert(words->begin(), std::string(flag.flag));
  return words;
}

std::optional<std::vector<std::string>> spelled(const std::vector<tables::Flag>& flags, const Value& value) {
  for (const auto& flag : flags)
    if (auto words = spelled(flag, value)) return words;
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> write_arguments(const std::vector<Setting>& settings, const ReadContext& context) {
  std::vector<std::string> out;
  for (const auto& setting : settings) {
    const auto usual = candidates(setting, context);
    if (usual.empty()) return not_expressible(setting, "no option writes this key");
    auto words = spelled(usual, setting.value);
    if (!words) words = spelled(all_candidates(setting, context), setting.value);
    if (!words) return not_expressible(setting, "no option can hold this value");
    std::move(words->begin(), words->end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace spillway::config
