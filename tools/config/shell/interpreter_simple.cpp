#include <algorithm>

#include "tools/config/shell/interpreter.hpp"
#include "tools/config/shell/parser.hpp"

/// Simple commands: which of them it is, functions, and texts for other shells.
namespace spillway::config::shell {
namespace {

constexpr std::string_view kDeclarations[] = {"export", "declare", "typeset", "local", "readonly"};
/// Commands that are asked rather than told.
constexpr std::string_view kQuestions[] = {"grep", "egrep", "which",      "type", "command", "pgrep",
                                           "diff", "cmp",   "nvidia-smi", "ping", "hash",    "getopts"};
constexpr std::string_view kShells[] = {"bash", "sh", "zsh", "dash", "ksh"};
/// Commands that pass a heredoc on to a shell, now or later.
constexpr std::string_view kPassers[] = {"cat", "tee", "sbatch", "qsub", "bsub", "srun", "ssh", "salloc", "bash", "sh", "zsh"};

std::string base_name(const Field& word) {
  const std::string text = text_of(word);
  return text.substr(text.rfind('/') + 1);
}

/// A text worth following: it holds something like the start of a training run.
bool is_interesting(std::string_view text) {
  for (const std::string_view sign : {"torchrun", ".py", "run_recipe", "torch.distributed", "megatron ", "swift "})
    if (text.find(sign) != std::string_view::npos) return true;
  return false;
}

bool runs_a_command(const Word& word) {
  return std::any_of(word.pieces.begin(), word.pieces.end(), [](const Piece& piece) { return piece.kind == Piece::Kind::kCommand; });
}

}  // namespace

void Interpreter::note(std::size_t offset, std::string what, std::string why) {
  const bool known = std::any_of(notes_.begin(), notes_.end(), [&](const Note& old) { return old.offset == offset && old.what == what; });
  if (!known && !silent_) notes_.push_back({offset, std::move(what), std::move(why)});
}

Status Interpreter::simple(const Command& command) {
  status_ground_ = {};
  if (command.words.empty()) {
    bool open = false;
    for (const auto& assignment : command.assignments) {
      assign(assignment, false);
      open = open || std::any_of(assignment.words.begin(), assignment.words.end(), runs_a_command);
    }
    return open ? Status::kAssumed : Status::kTrue;
  }
  const auto first = command.words[0].bare().value_or("");
  if (first == "[" || first == "[[" || first == "test") {
    environment_.touched = {};
    const Status status = evaluate_test(command.words, environment_);
    status_ground_ = environment_.touched;
    return status;
  }
  if (among(kDeclarations, first)) {
    declare(command);
    return Status::kTrue;
  }
  std::vector<Field> words;
  word_grounds_.clear();
  for (const auto& word : command.words) {
    environment_.touched = {};
    const std::size_t before = words.size();
    for (auto& field : expand_words(word, environment_)) words.push_back(std::move(field));
    if (!environment_.touched.empty()) word_grounds_.emplace_back(std::max(before + 1, words.size()) - 1, environment_.touched);
  }
  if (words.empty()) return Status::kAssumed;
  return named(command, std::move(words));
}

Status Interpreter::named(const Command& command, std::vector<Field> words) {
  const std::string name = uncertain(words[0]) == nullptr ? text_of(words[0]) : "";
  if (functions_.find(name) != functions_.end()) {
    Locals hidden;
    for (const auto& assignment : command.assignments) {
      hidden.emplace_back(assignment.name, environment_.variables.state(assignment.name));
      assign(assignment, true);
    }
    const Status status = call_function(name, std::move(words));
    for (auto& [variable, state] : hidden) environment_.variables.restore(variable, std::move(state));
    return status;
  }
  if (const auto status = builtin(name, command, words)) return *status;
  const bool replaces = name == "exec" && words.size() > 1;
  call(command, std::move(words));
  if (replaces) stop_ = Stop::kExit;
  return among(kQuestions, name) ? Status::kUnknown : Status::kAssumed;
}

/// Arguments of a function or of `set --`. The script's own are taken as none.
void Interpreter::give_arguments(std::vector<Field> words) {
  Grounds all;
  for (const auto& [index, grounds] : word_grounds_) add(all, grounds);
  std::erase_if(words, [&](const Field& word) {
    const std::string text = text_of(word);
    const bool own = uncertain(word) != nullptr && (text == "$@" || text == "${@}" || text == "$*") && !environment_.arguments_differ;
    if (!own) return false;
    environment_.touched = {};
    environment_.assume_no_arguments(word.front().offset);
    add(all, environment_.touched);
    return true;
  });
  environment_.arguments = std::move(words);
  environment_.arguments_known = true;
  environment_.arguments_differ = false;
  environment_.grounds_of["@"] = std::move(all);
}

Status Interpreter::call_function(const std::string& name, std::vector<Field> words) {
  functions_[name].called = true;
  const Function function = functions_[name];
  if (!words.empty()) words.erase(words.begin());
  auto arguments = environment_.arguments;
  auto grounds = environment_.grounds_of["@"];
  const bool known = environment_.arguments_known, differ = environment_.arguments_differ;
  give_arguments(std::move(words));
  if (doubts_.size() == 1 && doubts_[0].ends_with("not called in this script")) environment_.arguments_known = false;
  locals_.emplace_back();
  const Script* before = std::exchange(script_, function.script);
  const std::size_t changes = argument_changes_;
  const Status status = in_frame(Stop::kReturn, [&] { return run_list(*function.body); });
  argument_changes_ = changes;
  script_ = before;
  for (auto local = locals_.back().rbegin(); local != locals_.back().rend(); ++local)
    environment_.variables.restore(local->first, std::move(local->second));
  locals_.pop_back();
  environment_.arguments = std::move(arguments);
  environment_.arguments_known = known;
  environment_.arguments_differ = differ;
  environment_.grounds_of["@"] = std::move(grounds);
  return status;
}

void Interpreter::call(const Command& command, std::vector<Field> words) {
  if (silent_) return;
  Call call;
  call.grounds = word_grounds_;
  for (const auto& assignment : command.assignments)
    if (!assignment.array) call.prefix.emplace_back(assignment.name, expand_text(assignment.words.front(), environment_));
  call.words = std::move(words);
  call.offset = command.offset;
  call.environment = &environment_;
  call.condition = doubts_.empty() ? std::string{} : doubts_.front();
  call.around = around_;
  add(call.around, always_);
  on_call_(call);
  follow_nested(command, call.words);
}

/// `bash -c TEXT`, also behind `srun`, `ssh` and others, and heredocs.
void Interpreter::follow_nested(const Command& command, const std::vector<Field>& words) {
  bool shell = false;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string text = text_of(words[at]);
    const bool is_text = text.find_first_of(" \n") != std::string::npos && is_interesting(text);
    if (is_text && (shell || at + 1 == words.size())) {
      const std::size_t given = std::min(at + 2, words.size());
      return run_elsewhere(words[at], command, {words.begin() + static_cast<std::ptrdiff_t>(given), words.end()});
    }
    shell = shell || among(kShells, base_name(words[at]));
  }
  if (!command.heredoc || (!shell && !among(kPassers, base_name(words[0])))) return;
  const Heredoc& heredoc = script_->heredocs[*command.heredoc];
  const Field text = expand_document(heredoc, environment_);
  if (is_interesting(text_of(text))) run_elsewhere(text, command, {});
}

void Interpreter::run_text(const Field& text) {
  if (!environment_.spend(text.size() + text_of(text).size() / 8)) return;
  auto script = std::make_unique<Script>(parse_script(script_of(text, environment_)));
  if (script->problem) return note(script->problem->offset, "a text for another shell", script->problem->what);
  texts_.push_back(std::move(script));
  const Script* before = std::exchange(script_, texts_.back().get());
  ++depth_;
  run_list(script_->commands);
  --depth_;
  script_ = before;
}

void Interpreter::run_elsewhere(const Field& text, const Command& command, std::vector<Field> arguments) {
  auto functions = std::exchange(functions_, {});
  in_subshell([&] {
    hide_unexported(command);
    word_grounds_.clear();
    if (arguments.empty())
      environment_.arguments_known = environment_.arguments_differ = false;
    else
      give_arguments(std::move(arguments));
    run_text(text);
    return Status::kAssumed;
  });
  functions_ = std::move(functions);
}

/// Another shell sees what is exported and nothing else.
void Interpreter::hide_unexported(const Command& command) {
  auto& variables = environment_.variables;
  for (const auto& name : variables.names()) {
    const Variable* variable = variables.find(name);
    // Slurm's own variables are in the environment.
    if (variable == nullptr || (variable->exported && !variable->array) || name.starts_with("SLURM_")) continue;
    if (!environment_.spend(1)) return;
    variables.set(name,
                  {{{{"$" + name, command.offset, name + " is set but not exported, so that the inner shell does not see it", true}}}});
  }
  for (const auto& assignment : command.assignments) assign(assignment, true);
}

}  // namespace spillway::config::shell
