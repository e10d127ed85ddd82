#include "tools/config/shell/interpreter.hpp"

#include <algorithm>

namespace spillway::config::shell {
namespace {

/// Commands that are followed, each time they run; at 40 us each unoptimised this is a second.
constexpr std::size_t kMaxCommands = 20'000;
constexpr int kMaxDepth = 100;

/// The end of the stretch from `begin` on whose commands are joined to the one before by a link that `joins`.
template <class Joins>
std::size_t end_of(const Commands& commands, std::size_t begin, std::size_t limit, Joins joins) {
  std::size_t end = begin + 1;
  while (end < limit && joins(commands[end].link)) ++end;
  return end;
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
  status_ground_ = {};
  for (std::size_t at = 0; at < commands.size() && !stopped();) {
    const std::size_t end = end_of(commands, at, commands.size(), [](Command::Link link) { return link != Command::Link::kAlways; });
    const auto chain = [&] { return run_chain(commands, at, end); };
    status = commands[at].background ? in_subshell(chain) : chain();
    at = end;
  }
  return status;
}

/// Pipelines joined by `&&` and `||`. What stands behind a test rests on what the test rests on.
Status Interpreter::run_chain(const Commands& commands, std::size_t begin, std::size_t end) {
  Status status = Status::kTrue;
  const Grounds outer = around_;
  Grounds all;
  for (std::size_t at = begin; at < end && !stopped();) {
    const std::size_t next = end_of(commands, at, end, [](Command::Link link) { return link == Command::Link::kPipe; });
    status_ground_ = {};
    status = at == begin ? run_pipeline(commands, at, next) : run_linked(commands, at, next, status);
    add(all, status_ground_);
    add(around_, all);
    at = next;
  }
  around_ = outer;
  status_ground_ = std::move(all);
  return status;
}

Status Interpreter::run_linked(const Commands& commands, std::size_t begin, std::size_t end, Status before) {
  const Command& command = commands[begin];
  const bool wanted = command.link == Command::Link::kAnd;
  const auto body = std::span<const Command>(commands).subspan(begin, end - begin);
  const bool runs = before == (wanted ? Status::kTrue : Status::kFalse);
  if (runs && refutes(before, body)) before = Status::kUnknown;
  if (before == (wanted ? Status::kFalse : Status::kTrue)) {
    skipped(body, around_);
    return before;
  }
  const bool certain = before == (wanted ? Status::kTrue : Status::kFalse) || (wanted && before == Status::kAssumed);
  if (certain) return run_pipeline(commands, begin, end);
  // Only tests are worth a status of their own; the outcome of both sides together stays open.
  alternatives({[] {}, [&] { run_pipeline(commands, begin, end); }}, condition_of_line(command.offset));
  return before == Status::kAssumed ? Status::kAssumed : Status::kUnknown;
}

/// Every part of a pipeline runs in a shell of its own.
Status Interpreter::run_pipeline(const Commands& commands, std::size_t begin, std::size_t end) {
  if (end == begin + 1) return run_command(commands[begin]);
  Status status = Status::kTrue;
  for (std::size_t at = begin; at < end && !exhausted(); ++at) status = in_subshell([&] { return run_command(commands[at]); });
  return commands[begin].negated ? negation(status) : status;
}

Status Interpreter::in_subshell(const std::function<Status()>& action) {
  auto frames = std::exchange(frames_, {});
  const auto arguments = environment_.arguments;
  const bool known = environment_.arguments_known, differ = environment_.arguments_differ;
  environment_.variables.push();
  ++subshells_;
  const Status status = action();
  --subshells_;
  environment_.variables.pop();
  environment_.arguments = arguments;
  environment_.arguments_known = known;
  environment_.arguments_differ = differ;
  frames_ = std::move(frames);
  stop_ = Stop::kNone;
  return status;
}

/// Runs what `return`, `break` or `continue` may leave; where it may have done so, both outcomes are possible afterwards.
Status Interpreter::in_frame(Stop catches, const std::function<Status()>& action) {
  frames_.push_back({catches, environment_.variables.depth(), {}, {}});
  environment_.variables.push();
  const Status status = action();
  auto layer = environment_.variables.pop();
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (stop_ == catches) stop_ = Stop::kNone;
  if (frame.escaped.empty()) {
    environment_.variables.apply(std::move(layer));
    return status;
  }
  if (stop_ == Stop::kNone)
    frame.escaped.push_back(std::move(layer));
  else
    escape(stop_, layer, frame.reason);
  stop_ = Stop::kNone;
  merge(frame.escaped, frame.reason);
  return status == Status::kTrue || status == Status::kFalse ? Status::kUnknown : status;
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
      return command.subshell ? in_subshell([&] { return run_list(command.body); }) : run_list(command.body);
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
  return calculate(command.arithmetic);
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
    auto arguments = environment_.arguments;
    call_function(name, {});
    environment_.arguments = std::move(arguments);
    environment_.variables.pop();
    doubts_.pop_back();
    stop_ = Stop::kNone;
  }
}

}  // namespace spillway::config::shell
