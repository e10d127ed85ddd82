#include "tools/cli/help.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/config/shell/words.hpp"
#include "tools/encode.hpp"
#include "tools/schema.hpp"

namespace spillway::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 26;  // Where meanings begin.

/// Broken at blanks; every line but the first is indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (const auto word : split(text, ' ')) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) out += ' ', ++column;
    out += word;
    column += word.size();
  }
  return out;
}

std::string row(const std::string& name, std::string_view meaning, const Style& style) {
  const std::size_t width = columns(name);
  const std::string gap = width + 4 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - 2 - width, ' ');
  return "  " + paint(style, Ink::kBold, name) + gap + wrapped(meaning, kColumn) + "\n";
}

std::string option_name(const Field& field) {
  if (field.is_positional) return std::string(field.value_name) + (repeats(field) ? "…" : "");
  const std::string flag = "--" + flag_of(field);
  if (is_switch(field)) return flag;
  return flag + " " + std::string(field.value_name.empty() ? "VALUE" : field.value_name);
}

std::string meaning(const Field& field) {
  std::string out(field.doc);
  const std::string choices = type_words(field);
  if (!choices.empty()) out += " (" + choices + ")";
  if (repeats(field) && !field.is_positional) out += " May be repeated.";
  return out;
}

/// `text or json`, with what the tool has beside them.
std::string format_names(const Call& call) {
  const auto more = call.formats();
  std::string names = more.empty() ? "text or json" : "text, json";
  for (const auto format : more) names += (format == more.back() ? " or " : ", ") + std::string(format);
  return names;
}

std::string title(std::string_view text, const Style& style) { return "\n" + paint(style, Ink::kBlue, text) + "\n"; }

std::string first_sentence(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if ((text[i] == '.' || text[i] == '?') && text[i + 1] == ' ') return std::string(text.substr(0, i + 1));
  return std::string(text);
}

void append_value(std::vector<std::string>& words, const Field& field, const config::Value& value) {
  if (!field.is_positional) words.push_back("--" + flag_of(field));
  if (!is_switch(field)) words.push_back(value.str());
}

}  // namespace

std::string example_line(const AnyTool& tool) {
  std::vector<std::string> words = {"spillway", std::string(tool.info().command)};
  const auto example = tool.ask_example(), blank = tool.ask();
  const Fields fields = example->input();
  for (const auto& [name, value] : encode_stated(fields, blank->input())) {
    const Field& field = *fields.find(name);
    if (!field.has_flag) continue;
    if (value.list())
      for (const auto& item : *value.list()) append_value(words, field, item);
    else if (value.map())
      for (const auto& [key, item] : *value.map()) append_value(words, field, config::Value(key + "=" + item.str()));
    else
      append_value(words, field, value);
  }
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + config::shell::quoted_word(word);
  return line;
}

std::string short_help(const Style& style) {
  const auto example = [&](std::string_view line, std::string_view what) {
    return "  " + paint(style, Ink::kBold, line) + "\n      " + std::string(what) + "\n";
  };
  return "spillway: CPU offloading for Megatron: legal, fitting, explained.\n\n" +
         example("spillway validate run_config.yaml", "is this configuration legal, and what in it has no effect or hurts?") +
         example("spillway validate --recipe qwen3_30b_a3b_pretrain_config --set model.cpu_offloading=true",
                 "the same for a recipe with overrides") +
         example("spillway explain ACT-PP", "what a rule means, why it exists, and what to do") + "\nspillway help shows every command.\n";
}

std::string full_help(const std::vector<AnyTool>& tools, const std::vector<Command>& commands, const Style& style) {
  std::string out = "usage: spillway COMMAND [OPTION]…\n" + title("tools", style);
  for (const auto& tool : tools) out += row(std::string(tool.info().command), first_sentence(tool.info().description), style);
  out += title("commands", style);
  for (const auto& command : commands) out += row(std::string(command.name), command.summary, style);
  out += title("exit status", style);
  for (const auto& [status, meaning] : kExitStatuses) out += row(std::to_string(status), meaning, style);
  return out + "\nspillway help COMMAND shows its options. --format json gives every answer as one JSON object.\n";
}

std::string tool_help(const AnyTool& tool, const Style& style) {
  const auto call = tool.ask();
  const Fields fields = call->input();
  std::string usage = "usage: spillway " + std::string(tool.info().command) + " [OPTION]…", arguments, options;
  for (const auto& field : fields) {
    if (!field.has_flag) continue;
    if (field.is_positional) usage += " [" + option_name(field) + "]";
    (field.is_positional ? arguments : options) += row(option_name(field), meaning(field), style);
  }
  options += row("--format FORMAT", format_names(*call) + ": the answer for people, or as one object.", style) +
             row("-h, --help", "This page.", style);
  return usage + "\n\n" + wrapped(tool.info().description, 0) + "\n" + (arguments.empty() ? "" : title("arguments", style) + arguments) +
         title("options", style) + options + title("example", style) + "  " + example_line(tool) + "\n";
}

std::string command_help(const Command& command, const Style&) {
  return "usage: spillway " + std::string(command.name) + (command.usage.empty() ? "" : " " + std::string(command.usage)) + "\n\n" +
         std::string(command.summary) + ".\n";
}

}  // namespace spillway::cli
