#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/config/shell/condition.hpp"
#include "tools/config/shell/syntax.hpp"

namespace spillway::config::shell {

/// A command that a script would run.
struct Call {
  std::vector<Field> words;                           ///< The command and its arguments, expanded.
  std::vector<std::pair<std::string, Field>> prefix;  ///< `NAME=VALUE` before it.
  std::size_t offset = 0;
  const Variables* variables = nullptr;  ///< As they are at this point. Lifetime: of the call back.
  std::string condition;                 ///< Why it is not certain that it runs; empty when it is.
};

/// Something that a script does and that is not followed.
struct Note {
  std::size_t offset;
  std::string what;
  std::string why;
};

/// Follows a script from top to bottom without running anything: assignments, arrays, functions, loops over words, and tests
/// that the script itself decides. A branch that is not decided is followed too; what only it does is not certain. Texts that the
/// script hands to another shell (`bash -c`, `eval`, heredocs) are followed where they look like a command of interest.
/// Cost: bounded in commands, loop rounds, depth and copies; see exhausted().
class Interpreter {
 public:
  /// Lifetime: `lines` must outlive the interpreter.
  Interpreter(const Lines& lines, std::function<void(const Call&)> on_call) : lines_(lines), on_call_(std::move(on_call)) {}

  Environment& environment() { return environment_; }
  void run(const Script& script);

  const std::vector<Note>& notes() const { return notes_; }
  /// The script does more than is followed: the rest of it was left out.
  bool exhausted() const { return exhausted_ || environment_.budget == 0; }

 private:
  enum class Stop { kNone, kContinue, kBreak, kReturn, kExit };
  using Action = std::function<void()>;

  // Control flow.
  Status run_list(const Commands& commands);
  Status run_linked(const Command& command, Status before);
  Status run_command(const Command& command);
  Status run_kind(const Command& command);
  Status if_command(const Command& command);
  Status case_command(const Command& command);
  Status matches(const Branch& branch, const Field& subject);
  Status for_command(const Command& command);
  Status while_command(const Command& command);
  Status group(const Command& command);
  void loop_round(const Commands& body);
  void uncalled_functions();
  /// Runs alternatives of which one happens, none of them for certain.
  void alternatives(const std::vector<Action>& actions, std::size_t offset);
  /// Runs the only arm that can happen, or all that may.
  void choose(const std::vector<std::pair<Status, Action>>& arms, std::size_t offset);
  void merge(const std::vector<Variables::Layer>& outcomes, const std::string& reason);

  // Simple commands.
  Status simple(const Command& command);
  Status named(const Command& command, std::vector<Field> words);
  Status call_function(const std::string& name, std::vector<Field> words);
  void declare(const Command& command);
  void assign(const Assignment& assignment, bool exported);
  void set(const std::string& name, Variable value);
  void read(const Command& command, const std::vector<Field>& words);
  void call(const Command& command, std::vector<Field> words);
  void follow_nested(const Command& command, const std::vector<Field>& words);
  void run_text(const Field& text, bool here);

  bool stopped() const { return stop_ != Stop::kNone || exhausted(); }

  struct Function {
    const Commands* body = nullptr;
    const Script* script = nullptr;
    bool called = false;
  };

  const Lines& lines_;
  std::function<void(const Call&)> on_call_;
  Environment environment_;
  const Script* script_ = nullptr;
  std::vector<std::unique_ptr<Script>> texts_;  ///< Scripts in scripts; functions point into them.
  TextMap<Function> functions_;
  std::vector<std::string> doubts_;  ///< Conditions around the command that runs now.
  std::vector<Note> notes_;
  std::size_t commands_ = 0;
  int depth_ = 0;
  Stop stop_ = Stop::kNone;
  bool exhausted_ = false;
  bool export_all_ = false;  ///< After `set -a`.
};

}  // namespace spillway::config::shell
