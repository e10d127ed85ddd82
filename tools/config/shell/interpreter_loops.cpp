#include <algorithm>

#include "tools/config/shell/arithmetic.hpp"
#include "tools/config/shell/interpreter.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::size_t kMaxRounds = 100;

/// Loops that work through the arguments of the script; without arguments they do nothing.
bool reads_arguments(const Commands& condition) {
  for (const auto& command : condition)
    for (const auto& word : command.words) {
      if (word.bare() == "getopts") return true;
      for (const auto& piece : word.pieces)
        if (piece.kind == Piece::Kind::kVariable &&
            (piece.text == "$#" || piece.text == "$@" || piece.text == "$1" || piece.text.starts_with("${1")))
          return true;
    }
  return false;
}

bool is_list_item(const Field& value) { return uncertain(value) == nullptr && text_of(value).find_first_of("{*") == std::string::npos; }

bool are_all_arguments(const Field& value) {
  const std::string text = text_of(value);
  return uncertain(value) != nullptr && (text == "$@" || text == "${@}" || text == "$*");
}

}  // namespace

void Interpreter::loop_round(const Commands& body) {
  in_frame(Stop::kContinue, [&] { return run_list(body); });
}

void Interpreter::unknown_rounds(const Action& round, std::size_t offset) {
  const auto twice = [&] {
    const bool before = std::exchange(silent_, true);
    round();
    if (!stopped()) round();
    silent_ = before;
  };
  alternatives({[] {}, round, twice}, "only in the rounds of the loop in line " + std::to_string(lines_.origin(offset).line));
}

void Interpreter::forget(const Commands& commands, const std::string& reason) {
  for (const auto& name : effects_of(commands).names)
    if (!environment_.variables.is_readonly(name)) set_open(name, 0, reason);
}

Status Interpreter::for_command(const Command& command) {
  if (!command.arithmetic.empty()) return counting_loop(command);
  environment_.touched = {};
  std::vector<Field> values;
  for (const auto& word : command.words)
    for (auto& value : expand_words(word, environment_)) values.push_back(std::move(value));
  if (!environment_.arguments_differ && std::all_of(values.begin(), values.end(), are_all_arguments) && !values.empty()) {
    environment_.assume_no_arguments(command.offset);
    values.clear();
  }
  const Grounds outer = around_;
  add(around_, environment_.touched);
  if (values.empty()) skipped(command.body, around_);
  const auto round = [&](Field value) {
    environment_.touched = around_;
    if (!command.name.empty() && !refused(command.name, command.offset))
      set(command.name, {{std::move(value)}, false, false}, command.offset);
    loop_round(command.body);
  };
  in_frame(Stop::kBreak, [&] {
    if (command.select || values.size() > kMaxRounds || !std::all_of(values.begin(), values.end(), is_list_item))
      unknown_rounds([&] { round({{"$" + command.name, command.offset, "takes its values in a loop", true}}); }, command.offset);
    else
      for (auto& value : values)
        if (!stopped()) round(std::move(value));
    return Status::kAssumed;
  });
  around_ = outer;
  status_ground_ = {};
  return Status::kAssumed;
}

/// `for ((start; condition; step))`.
Status Interpreter::counting_loop(const Command& command) {
  const auto parts = split(command.arithmetic, ';');
  const auto part = [&](std::size_t at) { return at < parts.size() ? trim(parts[at]) : std::string_view{}; };
  const auto condition = [&] { return part(1).empty() ? Status::kTrue : calculate(part(1)); };
  if (!part(0).empty()) calculate(part(0));
  in_frame(Stop::kBreak, [&] {
    Status status = condition();
    for (std::size_t rounds = 0; status == Status::kTrue && rounds < kMaxRounds && !stopped(); ++rounds) {
      loop_round(command.body);
      if (!stopped() && !part(2).empty()) calculate(part(2));
      status = stopped() ? Status::kFalse : condition();
    }
    if (status == Status::kFalse) return Status::kAssumed;
    const std::string reason = "takes its values in a loop";
    for (const auto text : parts)
      for (const auto& name : assigned_in(text)) set_open(name, command.offset, reason);
    unknown_rounds([&] { loop_round(command.body); }, command.offset);
    if (status == Status::kTrue) forget(command.body, "changes in a loop of more rounds than are followed");
    return Status::kAssumed;
  });
  return Status::kAssumed;
}

Status Interpreter::while_command(const Command& command) {
  const Grounds outer = around_;
  if (!environment_.arguments_known && !environment_.arguments_differ && reads_arguments(command.condition)) {
    environment_.touched = {};
    environment_.assume_no_arguments(command.offset);
    add(around_, environment_.touched);
    skipped(command.body, around_);
    around_ = outer;
    return Status::kAssumed;
  }
  const auto condition = [&] {
    const Status status = run_list(command.condition);
    add(around_, status_ground_);
    return command.negated ? negation(status) : status;
  };
  in_frame(Stop::kBreak, [&] {
    Status status = condition();
    if (status == Status::kFalse) skipped(command.body, around_);
    for (std::size_t rounds = 0; status == Status::kTrue && rounds < kMaxRounds && !stopped(); ++rounds) {
      loop_round(command.body);
      status = stopped() ? Status::kFalse : condition();
    }
    if (status == Status::kTrue) forget(command.body, "changes in a loop of more rounds than are followed");
    if (status == Status::kUnknown || status == Status::kAssumed)
      unknown_rounds([&] { loop_round(command.body), run_list(command.condition); }, command.offset);
    return Status::kAssumed;
  });
  around_ = outer;
  status_ground_ = {};
  return Status::kAssumed;
}

}  // namespace spillway::config::shell
