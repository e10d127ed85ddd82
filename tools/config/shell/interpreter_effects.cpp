#include "tools/config/shell/arithmetic.hpp"
#include "tools/config/shell/interpreter.hpp"
#include "tools/config/shell/parser.hpp"

/// What commands that are not run would have done.
namespace spillway::config::shell {
namespace {

/// Commands whose words name variables that they set.
constexpr std::string_view kSetters[] = {"export", "declare", "typeset",   "local", "readonly",
                                         "read",   "mapfile", "readarray", "unset", "getopts"};
constexpr std::string_view kJumps[] = {"return", "break", "continue"};

}  // namespace

Interpreter::Effects Interpreter::effects_of(std::span<const Command> commands) {
  Effects out;
  collect(commands, out);
  return out;
}

void Interpreter::collect(std::span<const Command> commands, Effects& out) {
  for (const auto& command : commands) {
    if (!environment_.spend(1)) return;
    for (const auto& assignment : command.assignments) out.names.insert(assignment.name);
    if (command.kind == Command::Kind::kFor && !command.name.empty()) out.names.insert(command.name);
    for (auto& name : assigned_in(command.arithmetic)) out.names.insert(std::move(name));
    if (command.kind == Command::Kind::kSimple) collect_words(command, out);
    if (command.kind == Command::Kind::kFunction) continue;
    collect(command.condition, out);
    collect(command.body, out);
    for (const auto& branch : command.branches) {
      collect(branch.condition, out);
      collect(branch.body, out);
    }
  }
}

void Interpreter::collect_words(const Command& command, Effects& out) {
  if (command.words.empty()) return;
  const auto first = command.words[0].bare().value_or("");
  out.ends = out.ends || first == "exit";
  out.jumps = out.jumps || among(kJumps, first);
  // A command that is put together from variables may be the run itself.
  out.starts = out.starts || first.empty();
  if (const auto function = functions_.find(first); function != functions_.end() && out.functions.insert(std::string(first)).second)
    collect(*function->second.body, out);
  for (const auto& word : command.words) {
    const std::string text = word.text();
    out.starts = out.starts || text.find(".py") != std::string::npos || text.ends_with("torchrun") || text == "-m";
    const std::string name = text.substr(0, text.find_first_of("=+["));
    const bool sets = among(kSetters, first) || (first == "printf" && text != "printf");
    if (first == "let")
      for (auto& assigned : assigned_in(text)) out.names.insert(std::move(assigned));
    else if (sets && assignment_name(name + "=") > 0)
      out.names.insert(name);
  }
}

void Interpreter::skipped(std::span<const Command> commands, const Grounds& because) {
  if (because.empty()) return;
  const Effects effects = effects_of(commands);
  for (const auto& name : effects.names) add(environment_.grounds_of[std::string(environment_.variables.resolve(name))], because);
  if (effects.ends || effects.jumps || effects.starts) add(always_, because);
}

}  // namespace spillway::config::shell
