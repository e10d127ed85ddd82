#include "tools/cli/completion.hpp"

#include "base/text.hpp"
#include "tools/config/shell/words.hpp"

namespace spillway::cli {
namespace {

using config::shell::quoted_word;

/// One option of a command as a shell needs it.
struct Completed {
  std::string flag;
  std::string doc;
  std::vector<std::string> values;
  bool takes_value = true;
};

std::vector<Completed> options_of(const AnyTool& tool) {
  std::vector<Completed> options;
  const auto call = tool.ask();
  for (const auto& field : call->input()) {
    if (!field.has_flag || field.is_positional) continue;
    options.push_back({"--" + flag_of(field), std::string(field.doc), {field.choices.begin(), field.choices.end()}, !is_switch(field)});
  }
  std::vector<std::string> formats = {"text", "json"};
  for (const auto format : call->formats()) formats.emplace_back(format);
  options.push_back({"--format", "form of the answer", std::move(formats), true});
  options.push_back({"--help", "options of the command", {}, false});
  return options;
}

std::vector<std::string> command_names(const std::vector<AnyTool>& tools, const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const auto& tool : tools) names.emplace_back(tool.info().command);
  for (const auto& command : commands) names.emplace_back(command.name);
  return names;
}

std::string bash_case(const AnyTool& tool) {
  std::string flags, values;
  for (const auto& option : options_of(tool)) {
    flags += (flags.empty() ? "" : " ") + option.flag;
    if (!option.values.empty())
      values +=
          "        " + option.flag + ") COMPREPLY=($(compgen -W " + quoted_word(join(option.values, " ")) + " -- \"$cur\")); return;;\n";
  }
  return "    " + std::string(tool.info().command) + ")\n      case \"$prev\" in\n" + values +
         "      esac\n      [[ $cur == -* ]] && COMPREPLY=($(compgen -W " + quoted_word(flags) + " -- \"$cur\")) && return;;\n";
}

std::string bash(const std::vector<AnyTool>& tools, const std::vector<Command>& commands) {
  std::string out =
      "_spillway() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n  if [[ $COMP_CWORD == 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W " +
      quoted_word(join(command_names(tools, commands), " ")) + " -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  for (const auto& tool : tools) out += bash_case(tool);
  return out + "  esac\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _spillway spillway\n";
}

/// A text inside zsh's `[…]`.
std::string zsh_doc(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const Completed& option) {
  std::string spec = "*" + option.flag + "[" + zsh_doc(option.doc) + "]";
  if (option.takes_value) spec += ":value:" + (option.values.empty() ? std::string("_files") : "(" + join(option.values, " ") + ")");
  return quoted_word(spec);
}

std::string zsh(const std::vector<AnyTool>& tools, const std::vector<Command>& commands) {
  std::string out = "#compdef spillway\n_spillway() {\n  if (( CURRENT == 2 )); then\n    compadd -- " +
                    join(command_names(tools, commands), " ") +
                    "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const auto& tool : tools) {
    out += "    " + std::string(tool.info().command) + ") _arguments";
    for (const auto& option : options_of(tool)) out += " \\\n      " + zsh_option(option);
    out += " \\\n      '*:source:_files';;\n";
  }
  // The script works both when it is sourced and as a function file that the shell loads on first use.
  return out +
         "    *) _files;;\n  esac\n}\nif [ \"$funcstack[1]\" = _spillway ]; then _spillway \"$@\"; else compdef _spillway spillway; fi\n";
}

std::string fish_option(const AnyTool& tool, const Completed& option) {
  std::string line =
      "complete -c spillway -n '__fish_seen_subcommand_from " + std::string(tool.info().command) + "' -l " + option.flag.substr(2);
  if (option.takes_value) line += " -r";
  if (!option.values.empty()) line += " -f -a " + quoted_word(join(option.values, " "));
  return line + " -d " + quoted_word(option.doc) + "\n";
}

std::string fish(const std::vector<AnyTool>& tools, const std::vector<Command>& commands) {
  std::string out;
  for (const auto& tool : tools)
    out += "complete -c spillway -n __fish_use_subcommand -f -a " + std::string(tool.info().command) + " -d " +
           quoted_word(tool.info().title) + "\n";
  for (const auto& command : commands)
    out +=
        "complete -c spillway -n __fish_use_subcommand -f -a " + std::string(command.name) + " -d " + quoted_word(command.summary) + "\n";
  for (const auto& tool : tools)
    for (const auto& option : options_of(tool)) out += fish_option(tool, option);
  return out;
}

}  // namespace

Result<std::string> completion(std::string_view shell, const std::vector<AnyTool>& tools, const std::vector<Command>& commands) {
  if (shell == "bash") return bash(tools, commands);
  if (shell == "zsh") return zsh(tools, commands);
  if (shell == "fish") return fish(tools, commands);
  return Error{"unknown-shell", shell.empty() ? "no shell was named" : "no completion for " + std::string(shell),
               "spillway completion bash|zsh|fish"};
}

}  // namespace spillway::cli
