#include "tools/config/shell/interpreter.hpp"

#include <algorithm>
#include <set>

#include "tools/config/shell/glob.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::size_t kMaxCommands = 100'000;
constexpr std::size_t kMaxRounds = 100;
constexpr int kMaxDepth = 100;

Variable emptied(bool array) { return array ? Variable{{}, true, false} : Variable{{Field{}}, false, false}; }

std::optional<Variable> either(const std::optional<Variable>& a, const std::optional<Variable>& b, const std::string& reason) {
  if (!a && !b) return std::nullopt;
  return either(a ? *a : emptied(b->array), b ? *b : emptied(a->array), reason);
}

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

}  // namespace

void Interpreter::run(const Script& script) {
  script_ = &script;
  run_list(script.commands);
  stop_ = Stop::kNone;
  uncalled_functions();
}

Status Interpreter::run_list(const Commands& commands) {
  Status status = Status::kTrue;
  for (const auto& command : commands) {
    if (stopped()) break;
    status = run_linked(command, status);
  }
  return status;
}

Status Interpreter::run_linked(const Command& command, Status before) {
  using Link = Command::Link;
  const bool conditional = command.link == Link::kAnd || command.link == Link::kOr;
  if (conditional) {
    const bool wanted = command.link == Link::kAnd;
    if (before == (wanted ? Status::kFalse : Status::kTrue)) return before;
    const bool certain = before == (wanted ? Status::kTrue : Status::kFalse) || (wanted && before == Status::kAssumed);
    if (!certain) {
      // Only tests are worth a status of their own; the outcome of both sides together stays open.
      alternatives({[] {}, [&] { run_command(command); }}, command.offset);
      return before == Status::kAssumed ? Status::kAssumed : Status::kUnknown;
    }
  }
  return run_command(command);
}

Status Interpreter::run_command(const Command& command) {
  if (++commands_ > kMaxCommands || depth_ >= kMaxDepth) exhausted_ = true;
  if (stopped()) return Status::kUnknown;
  ++depth_;
  const Status status = run_kind(command);
  --depth_;
  return command.negated && command.kind != Command::Kind::kWhile ? negation(status) : status;
}

Status Interpreter::run_kind(const Command& command) {
  switch (command.kind) {
    case Command::Kind::kSimple:
      return simple(command);
    case Command::Kind::kGroup:
      return group(command);
    case Command::Kind::kIf:
      return if_command(command);
    case Command::Kind::kCase:
      return case_command(command);
    case Command::Kind::kFor:
      return for_command(command);
    case Command::Kind::kWhile:
      return while_command(command);
    case Command::Kind::kFunction:
      functions_[command.name] = {&command.body, script_, false};
      return Status::kTrue;
    case Command::Kind::kArithmetic:
      break;
  }
  const auto value = arithmetic_of(command.arithmetic, environment_);
  return !value ? Status::kUnknown : *value != 0 ? Status::kTrue : Status::kFalse;
}

Status Interpreter::group(const Command& command) {
  if (!command.subshell) return run_list(command.body);
  environment_.variables.push();
  const Status status = run_list(command.body);
  environment_.variables.pop();
  if (stop_ == Stop::kExit) stop_ = Stop::kNone;
  return status;
}

void Interpreter::alternatives(const std::vector<Action>& actions, std::size_t offset) {
  const std::string reason = "only under the condition in line " + std::to_string(lines_.origin(offset).line);
  std::vector<Variables::Layer> outcomes;
  const Stop before = stop_;
  for (const auto& action : actions) {
    environment_.variables.push();
    doubts_.push_back(reason);
    action();
    doubts_.pop_back();
    auto layer = environment_.variables.pop();
    // Where a branch ends the script, the rest of it only runs when another one is taken.
    if (stop_ == Stop::kNone) outcomes.push_back(std::move(layer));
    stop_ = before;
  }
  if (outcomes.empty()) stop_ = Stop::kExit;
  if (outcomes.size() == 1) return environment_.variables.apply(std::move(outcomes[0]));
  merge(outcomes, reason);
}

void Interpreter::merge(const std::vector<Variables::Layer>& outcomes, const std::string& reason) {
  std::set<std::string> names;
  for (const auto& layer : outcomes)
    for (const auto& entry : layer) names.insert(entry.first);
  for (const auto& name : names) {
    const Variable* now = environment_.variables.find(name);
    std::optional<Variable> before, merged;
    if (now != nullptr) before = *now;
    bool first = true;
    for (const auto& layer : outcomes) {
      const auto found = layer.find(name);
      const auto& value = found == layer.end() ? before : found->second;
      if (!environment_.spend(value ? value->weight() : 1)) return;
      merged = first ? value : either(merged, value, reason);
      first = false;
    }
    if (merged) environment_.variables.set(name, std::move(*merged));
  }
}

void Interpreter::choose(const std::vector<std::pair<Status, Action>>& arms, std::size_t offset) {
  std::vector<Action> open;
  for (const auto& [status, action] : arms) {
    if (status == Status::kFalse) continue;
    if (status == Status::kTrue && open.empty()) return action();
    open.push_back(action);
    if (status == Status::kTrue) return alternatives(open, offset);
  }
  if (open.empty()) return;
  open.insert(open.begin(), [] {});
  alternatives(open, offset);
}

Status Interpreter::if_command(const Command& command) {
  std::vector<std::pair<Status, Action>> arms;
  for (const auto& branch : command.branches) {
    const Status status = branch.condition.empty() ? Status::kTrue : run_list(branch.condition);
    arms.emplace_back(status == Status::kAssumed ? Status::kUnknown : status, [this, &branch] { run_list(branch.body); });
    if (status == Status::kTrue) break;
  }
  choose(arms, command.offset);
  return Status::kAssumed;
}

Status Interpreter::matches(const Branch& branch, const Field& subject) {
  Status any = Status::kFalse;
  for (const auto& word : branch.patterns) {
    const Field pattern = expand_text(word, environment_);
    if (text_of(pattern) == "*") return Status::kTrue;
    const bool certain = uncertain(subject) == nullptr && uncertain(pattern) == nullptr;
    const auto match = certain ? matches_glob(text_of(pattern), text_of(subject)) : std::nullopt;
    if (match == true) return Status::kTrue;
    if (!match) any = Status::kUnknown;
  }
  return any;
}

Status Interpreter::case_command(const Command& command) {
  const Field subject = command.words.empty() ? Field{} : expand_text(command.words[0], environment_);
  std::vector<std::pair<Status, Action>> arms;
  for (const auto& branch : command.branches) arms.emplace_back(matches(branch, subject), [this, &branch] { run_list(branch.body); });
  choose(arms, command.offset);
  return Status::kAssumed;
}

void Interpreter::loop_round(const Commands& body) {
  run_list(body);
  if (stop_ == Stop::kContinue) stop_ = Stop::kNone;
}

Status Interpreter::for_command(const Command& command) {
  std::vector<Field> values;
  for (const auto& word : command.words)
    for (auto& value : expand_words(word, environment_)) values.push_back(std::move(value));
  const auto listed = [](const Field& value) {
    return uncertain(value) == nullptr && text_of(value).find_first_of("{*") == std::string::npos;
  };
  if (!command.arithmetic.empty() || values.size() > kMaxRounds || !std::all_of(values.begin(), values.end(), listed))
    values = {{{"$" + command.name, command.offset, "takes its values in a loop", true}}};
  for (auto& value : values) {
    if (!command.name.empty()) set(command.name, {{std::move(value)}, false, false});
    loop_round(command.body);
    if (stopped()) break;
  }
  if (stop_ == Stop::kBreak) stop_ = Stop::kNone;
  return Status::kAssumed;
}

Status Interpreter::while_command(const Command& command) {
  if (reads_arguments(command.condition)) return Status::kAssumed;
  Status status = run_list(command.condition);
  if (command.negated) status = negation(status);
  const Action round = [this, &command] {
    loop_round(command.body);
    if (stop_ == Stop::kBreak) stop_ = Stop::kNone;
  };
  choose({{status == Status::kAssumed ? Status::kUnknown : status, round}}, command.offset);
  return Status::kAssumed;
}

/// A launch may stand in a function that only an argument of the script selects.
void Interpreter::uncalled_functions() {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions_)
    if (!function.called) names.push_back(name);
  std::sort(names.begin(), names.end(), [this](const auto& a, const auto& b) { return functions_[a].body < functions_[b].body; });
  for (const auto& name : names) {
    doubts_.push_back("the function " + name + " is not called in this script");
    environment_.variables.push();
    call_function(name, {});
    environment_.variables.pop();
    doubts_.pop_back();
    stop_ = Stop::kNone;
  }
}

}  // namespace spillway::config::shell
