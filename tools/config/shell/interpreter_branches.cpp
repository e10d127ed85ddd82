#include <algorithm>

#include "tools/config/shell/glob.hpp"
#include "tools/config/shell/interpreter.hpp"

namespace spillway::config::shell {
namespace {

Variable emptied(bool array) { return array ? Variable{{}, true, false} : Variable{{Field{}}, false, false}; }

std::optional<Variable> either(const std::optional<Variable>& a, const std::optional<Variable>& b, const std::string& reason) {
  if (!a && !b) return std::nullopt;
  return either(a ? *a : emptied(b->array), b ? *b : emptied(a->array), reason);
}

}  // namespace

std::string Interpreter::condition_of_line(std::size_t offset) const {
  return "only under the condition in line " + std::to_string(lines_.origin(offset).line);
}

void Interpreter::escape(Stop stop, const Variables::Layer& layer, const std::string& reason) {
  const auto frame = std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& open) { return open.catches == stop; });
  if (frame == frames_.rend()) return;
  auto all = environment_.variables.flattened(frame->depth);
  std::size_t weight = 0;
  for (const auto& [name, value] : layer) all[name] = value;
  for (const auto& [name, value] : all) weight += value ? value->weight() : 1;
  if (!environment_.spend(weight)) return;
  if (frame->reason.empty()) frame->reason = reason;
  frame->escaped.push_back(std::move(all));
}

void Interpreter::alternatives(const std::vector<Action>& actions, const std::string& reason) {
  struct Outcome {
    Stop stop;
    Variables::Layer layer;
  };
  std::vector<Outcome> outcomes;
  const auto arguments = environment_.arguments;
  const std::size_t changes = std::exchange(argument_changes_, 0);
  bool differ = environment_.arguments_differ;
  Stop nearest = Stop::kExit;
  for (const auto& action : actions) {
    environment_.variables.push();
    doubts_.push_back(reason);
    action();
    doubts_.pop_back();
    differ = differ || environment_.arguments_differ || std::exchange(argument_changes_, 0) > 0;
    outcomes.push_back({stop_, environment_.variables.pop()});
    nearest = std::min(nearest, stop_);
    environment_.arguments = arguments;
    stop_ = Stop::kNone;
  }
  // Where a branch ends the script, the rest of it only runs when another one is taken.
  std::vector<Variables::Layer> going_on;
  for (auto& outcome : outcomes) {
    if (outcome.stop == nearest)
      going_on.push_back(std::move(outcome.layer));
    else if (outcome.stop != Stop::kExit)
      escape(outcome.stop, outcome.layer, reason);
  }
  stop_ = nearest;
  environment_.arguments_differ = differ;
  argument_changes_ = changes + (differ ? 1 : 0);
  if (differ) environment_.arguments_known = false;
  if (going_on.size() == 1) return environment_.variables.apply(std::move(going_on[0]));
  merge(going_on, reason);
}

void Interpreter::merge(const std::vector<Variables::Layer>& outcomes, const std::string& reason) {
  std::set<std::string> names;
  for (const auto& layer : outcomes)
    for (const auto& entry : layer) names.insert(entry.first);
  for (const auto& name : names) {
    const Variables::State now = environment_.variables.state(name);
    std::optional<Variable> merged;
    bool first = true, unset = true;
    for (const auto& layer : outcomes) {
      const auto found = layer.find(name);
      const auto& value = found == layer.end() ? now.value : found->second;
      unset = unset && (found == layer.end() ? now.unset : !value);
      if (!environment_.spend(value ? value->weight() : 1)) return;
      merged = first ? value : either(merged, value, reason);
      first = false;
    }
    if (merged) environment_.variables.set(name, std::move(*merged));
    if (unset) environment_.variables.unset(name);
  }
}

void Interpreter::choose(const std::vector<Arm>& arms, std::size_t offset) {
  std::vector<Action> open;
  for (const auto& [status, action] : arms) {
    if (status == Status::kFalse) continue;
    if (status == Status::kTrue && open.empty()) return action();
    open.push_back(action);
    if (status == Status::kTrue) return alternatives(open, condition_of_line(offset));
  }
  if (open.empty()) return;
  open.insert(open.begin(), [] {});
  alternatives(open, condition_of_line(offset));
}

bool Interpreter::refutes(Status status, std::span<const Command> commands) {
  const bool decided = status == Status::kTrue || status == Status::kFalse;
  return decided && !around_.empty() && effects_of(commands).ends;
}

Status Interpreter::if_command(const Command& command) {
  const Grounds outer = around_;
  std::vector<Arm> arms;
  bool decided = false;
  for (const auto& branch : command.branches) {
    if (decided) {
      skipped(branch.body, around_);
      continue;
    }
    Status status = branch.condition.empty() ? Status::kTrue : run_list(branch.condition);
    if (!branch.condition.empty()) add(around_, status_ground_);
    if (status == Status::kAssumed || (status == Status::kTrue && refutes(status, branch.body))) status = Status::kUnknown;
    if (status == Status::kFalse) skipped(branch.body, around_);
    arms.push_back({status, [this, &branch] { run_list(branch.body); }});
    decided = status == Status::kTrue;
  }
  choose(arms, command.offset);
  around_ = outer;
  status_ground_ = {};
  return Status::kAssumed;
}

Status Interpreter::matches(const Branch& branch, const Field& subject) {
  Status any = Status::kFalse;
  for (const auto& word : branch.patterns) {
    const Field pattern = expand_text(word, environment_);
    if (text_of(pattern) == "*" && uncertain(pattern) == nullptr) return Status::kTrue;
    const bool certain = uncertain(subject) == nullptr && uncertain(pattern) == nullptr;
    const auto match = certain ? matches_glob(text_of(pattern), text_of(subject)) : std::nullopt;
    if (match == true) return Status::kTrue;
    if (!match) any = Status::kUnknown;
  }
  return any;
}

Status Interpreter::case_command(const Command& command) {
  const Grounds outer = around_;
  environment_.touched = {};
  const Field subject = command.words.empty() ? Field{} : expand_text(command.words[0], environment_);
  add(around_, environment_.touched);
  case_from(command, 0, subject);
  around_ = outer;
  status_ground_ = {};
  return Status::kAssumed;
}

void Interpreter::case_from(const Command& command, std::size_t first, const Field& subject) {
  std::vector<Arm> arms;
  bool decided = false;
  for (std::size_t at = first; at < command.branches.size(); ++at) {
    const Branch& branch = command.branches[at];
    Status status = decided ? Status::kFalse : matches(branch, subject);
    if (status == Status::kTrue && refutes(status, branch.body)) status = Status::kUnknown;
    if (status == Status::kFalse) skipped(branch.body, around_);
    decided = decided || status == Status::kTrue;
    arms.push_back({status, [this, &command, &subject, at] {
                      std::size_t last = at;
                      run_list(command.branches[last].body);
                      while (command.branches[last].next == Branch::Next::kBody && last + 1 < command.branches.size() && !stopped())
                        run_list(command.branches[++last].body);
                      if (command.branches[last].next == Branch::Next::kTest && !stopped()) case_from(command, last + 1, subject);
                    }});
  }
  choose(arms, command.offset);
}

}  // namespace spillway::config::shell
