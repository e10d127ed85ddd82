#include <algorithm>

#include "tools/config/launch.hpp"
#include "tools/config/launch_script.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/shell/words.hpp"

namespace spillway::config {
namespace {

Error not_expressible(const Setting& setting, const std::string& why) {
  return {"not-expressible", setting.key + " = " + setting.value.str() + " cannot be written into a launch script: " + why,
          "set it in another form"};
}

bool is_about_launch(const Setting& setting) { return setting.key.starts_with("launch.") || setting.key.starts_with("env."); }

struct Script {
  std::string array = "ARGS";
  std::string exports;
  std::string torchrun = "torchrun";
  std::string entry;
};

/// The lines around the arguments; nothing but an error for what has no place there.
std::optional<Error> add(const Setting& setting, Script& script) {
  const auto* text = setting.value.string();
  if (setting.key.starts_with("env.")) {
    if (text == nullptr) return not_expressible(setting, "an environment variable is a text");
    script.exports += "export " + setting.key.substr(4) + "=" + shell::quoted_word(*text) + "\n";
    return std::nullopt;
  }
  const auto* number = setting.value.integer();
  if (setting.key == "launch.nnodes" && number != nullptr)
    script.torchrun.append(" --nnodes ").append(std::to_string(*number));
  else if (setting.key == "launch.nproc_per_node" && number != nullptr)
    script.torchrun.append(" --nproc-per-node ").append(std::to_string(*number));
  else if (setting.key == "launch.script" && text != nullptr && !entry_file(*text).empty())
    script.entry = entry_file(*text);
  else
    return not_expressible(setting, "torchrun has no such option");
  return std::nullopt;
}

/// A script without a known name is only understood where its arguments tell what it is.
bool tells_itself(std::vector<Token> arguments, const ReadContext& context) {
  arguments.insert(arguments.begin(), Token{"train.py", {}, std::nullopt});
  return find_launch(arguments, context).has_value();
}

}  // namespace

Result<std::string> write_launch_script(const std::vector<Setting>& settings, const ReadContext& context) {
  const bool bridge = context.launcher == Launcher::kBridge || context.launcher == Launcher::kMegatronCore;
  Script script;
  ReadContext inner = context;
  std::vector<Setting> others;
  for (const auto& setting : settings) {
    if (!is_about_launch(setting))
      others.push_back(setting);
    else if (auto error = add(setting, script))
      return std::move(*error);
    if (setting.key == "launch.script" && setting.value.string()) inner.script = *setting.value.string();
  }
  std::string arguments;
  std::vector<Token> tokens;
  for (const auto& setting : others) {
    const auto words = bridge ? write_overrides({setting}, inner) : write_arguments({setting}, inner);
    if (!words) return words.error();
    arguments += " ";
    for (const auto& word : *words) {
      arguments += ' ';
      arguments += shell::quoted_word(word);
      tokens.push_back({word, {}, std::nullopt});
    }
    arguments += "\n";
  }
  if (script.entry.empty()) script.entry = bridge ? "run_recipe.py" : "train.py";
  if (script.entry == "train.py" && !tells_itself(std::move(tokens), inner))
    return Error{"not-expressible", "a launch script needs the name of the training script", "set launch.script, for example to gpt"};
  while (script.exports.find("export " + script.array + '=') != std::string::npos) script.array += '_';
  std::string out = "#!/bin/bash\n";
  out += script.exports;
  out += script.array + "=(\n";
  out += arguments;
  out += ")\n";
  out += script.torchrun + ' ' + script.entry;
  out += " \"${" + script.array + "[@]}\"\n";
  return out;
}

}  // namespace spillway::config
