#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
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
  const Environment* environment = nullptr;  ///< As it is at this point. Lifetime: of the call back.
  std::string condition;                     ///< Why it is not certain that it runs; empty when it is.
  /// What each word rests on, also one that expanded to nothing: the index of the last word that came of it, or of the next one.
  std::vector<std::pair<std::size_t, Grounds>> grounds;
  Grounds around;  ///< What it rests on that it runs at all.
};

/// Something that a script does and that is not followed.
struct Note {
  std::size_t offset;
  std::string what;
  std::string why;
};

/// Follows a script from top to bottom without running anything: assignments, arrays, functions, loops, and tests that the script itself
/// decides. A branch that is not decided is followed too; what only it does is not certain. Texts that the script hands to another
/// shell (`bash -c`, `eval`, heredocs) are followed where they look like a command of interest. What it leaves to its surroundings and
/// is taken for granted is an Assumption of the environment.
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
  struct Arm {
    Status status;
    Action action;
  };
  /// Where `return`, `break` or `continue` goes on, and what the variables are like when it does so under a condition.
  struct Frame {
    Stop catches;
    std::size_t depth;  ///< Of the variables' layers, where it began.
    std::vector<Variables::Layer> escaped;
    std::string reason;
  };
  struct Function {
    const Commands* body = nullptr;
    const Script* script = nullptr;
    bool called = false;
  };
  using Locals = std::vector<std::pair<std::string, Variables::State>>;

  // Control flow.
  Status run_list(const Commands& commands);
  Status run_chain(const Commands& commands, std::size_t begin, std::size_t end);
  Status run_linked(const Commands& commands, std::size_t begin, std::size_t end, Status before);
  Status run_pipeline(const Commands& commands, std::size_t begin, std::size_t end);
  Status run_command(const Command& command);
  Status run_kind(const Command& command);
  Status in_subshell(const std::function<Status()>& action);
  Status in_frame(Stop catches, const std::function<Status()>& action);
  void uncalled_functions();

  // Branches.
  /// Runs alternatives of which one happens, none of them for certain.
  void alternatives(const std::vector<Action>& actions, const std::string& reason);
  /// What a branch did that ends in `return`, `break` or `continue` while others go on.
  void escape(Stop stop, const Variables::Layer& layer, const std::string& reason);
  /// Runs the only arm that can happen, or all that may.
  void choose(const std::vector<Arm>& arms, std::size_t offset);
  void merge(const std::vector<Variables::Layer>& outcomes, const std::string& reason);
  Status if_command(const Command& command);
  Status case_command(const Command& command);
  void case_from(const Command& command, std::size_t first, const Field& subject);
  Status matches(const Branch& branch, const Field& subject);
  std::string condition_of_line(std::size_t offset) const;

  // Loops.
  Status for_command(const Command& command);
  Status counting_loop(const Command& command);
  Status while_command(const Command& command);
  void loop_round(const Commands& body);
  /// A loop of which it is not known how often it runs: not at all, once, or again on what it left behind.
  void unknown_rounds(const Action& round, std::size_t offset);
  void forget(const Commands& commands, const std::string& reason);

  // What is not run.
  struct Effects {
    std::set<std::string> names;      ///< Variables that it assigns.
    bool ends = false;                ///< `exit`.
    bool jumps = false;               ///< `return`, `break`, `continue`.
    bool starts = false;              ///< Something like a training run.
    std::set<std::string> functions;  ///< Those that were looked into.
  };
  Effects effects_of(std::span<const Command> commands);
  void collect(std::span<const Command> commands, Effects& out);
  void collect_words(const Command& command, Effects& out);
  /// Commands that an assumption keeps from running.
  void skipped(std::span<const Command> commands, const Grounds& because);
  /// Whether an assumption lets the script end: then it does not hold.
  bool refutes(Status status, std::span<const Command> commands);

  // Commands.
  Status simple(const Command& command);
  Status named(const Command& command, std::vector<Field> words);
  std::optional<Status> builtin(const std::string& name, const Command& command, const std::vector<Field>& words);
  Status call_function(const std::string& name, std::vector<Field> words);
  void give_arguments(std::vector<Field> words);
  Status jump(const std::string& name, const std::vector<Field>& words);
  void declare(const Command& command);
  struct Declaration {
    bool exported = false, plain = false, refers = false, keyed = false, integer = false, readonly = false, folded = false, local = false;
  };
  void declare_option(std::string_view option, Declaration& how) const;
  void declare_word(const Word& word, const Declaration& how);
  void declare_name(const std::string& name, const Declaration& how);
  void make_local(const std::string& name);
  void assign(const Assignment& assignment, bool exported);
  void assign_array(const Assignment& assignment, bool exported);
  bool add_item(const Word& word, Variable& to);
  void assign_element(const Assignment& assignment, bool exported, Field text);
  bool append(const Assignment& assignment, bool exported);
  void set_open(const std::string& name, std::size_t offset, std::string reason);
  bool refused(const std::string& name, std::size_t offset);
  void rests(const std::string& name, bool adds);
  void set(const std::string& name, Variable value, std::size_t offset);
  void read(const Command& command, const std::vector<Field>& words);
  struct Reading {
    std::vector<std::string> names;
    bool array = false, whole = false, odd = false;
  };
  static Reading read_options(const std::vector<Field>& words);
  bool read_exactly(const Command& command, const Reading& how);
  void print_into(const Command& command, const std::vector<Field>& words);
  void set_options(const std::vector<Field>& words);
  void shift(const std::vector<Field>& words);
  void unset(const std::vector<Field>& words);
  Status calculate(std::string_view text);
  void evaluate(const Command& command, const std::vector<Field>& words);
  void source(const Command& command, const std::vector<Field>& words);
  void trap(const Command& command, const std::vector<Field>& words);
  /// Something that may change any variable: what was set before is taken as unchanged, aloud.
  void unfollowed(std::size_t offset, const std::string& what, const std::string& why);
  void note(std::size_t offset, std::string what, std::string why);
  void call(const Command& command, std::vector<Field> words);
  void follow_nested(const Command& command, const std::vector<Field>& words);
  /// A text that this shell runs itself, or another one that does not see everything.
  void run_text(const Field& text);
  void run_elsewhere(const Field& text, const Command& command, std::vector<Field> arguments);
  void hide_unexported(const Command& command);

  bool stopped() const { return stop_ != Stop::kNone || exhausted(); }
  bool certain() const { return doubts_.empty() && subshells_ == 0; }

  const Lines& lines_;
  std::function<void(const Call&)> on_call_;
  Environment environment_;
  const Script* script_ = nullptr;
  std::vector<std::unique_ptr<Script>> texts_;  ///< Scripts in scripts; functions point into them.
  TextMap<Function> functions_;
  std::vector<std::string> doubts_;  ///< Conditions around the command that runs now.
  std::vector<Frame> frames_;
  std::vector<Locals> locals_;  ///< Of each function that runs: what its local variables hide.
  std::vector<Note> notes_;
  Grounds around_;                                             ///< What the present command rests on that it runs.
  Grounds status_ground_;                                      ///< What the status of the last command rests on.
  std::vector<std::pair<std::size_t, Grounds>> word_grounds_;  ///< As in Call, of the present command.
  Grounds always_;                                             ///< What everything from here on rests on.
  std::set<std::string, std::less<>> exports_;                 ///< Exported, if ever they are set.
  std::size_t argument_changes_ = 0;
  std::size_t commands_ = 0;
  int depth_ = 0;
  int subshells_ = 0;
  Stop stop_ = Stop::kNone;
  bool exhausted_ = false;
  bool command_is_export_ = false;
  bool silent_ = false;      ///< A round of a loop that is followed again: its calls were seen.
  bool export_all_ = false;  ///< After `set -a`.
};

}  // namespace spillway::config::shell
