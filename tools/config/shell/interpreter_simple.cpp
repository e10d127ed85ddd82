#include <algorithm>

#include "tools/config/shell/interpreter.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::size_t kMaxElements = 10'000;

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

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

Variable open_variable(std::string text, std::size_t offset, std::string reason) {
  return {{{{std::move(text), offset, std::move(reason), true}}}, false, false};
}

}  // namespace

void Interpreter::set(const std::string& name, Variable value) {
  std::size_t bytes = 0;
  for (const auto& element : value.elements)
    for (const auto& fragment : element) bytes += fragment.text.size();
  const bool fits = bytes <= kMaxValueBytes && value.weight() <= kMaxValueFragments && value.elements.size() <= kMaxElements;
  if (!environment_.spend(value.weight() + bytes / 64)) return;
  if (!fits) value = open_variable("$" + name, 0, "the value grows larger than is followed");
  value.exported = value.exported || export_all_;
  environment_.variables.set(name, std::move(value));
}

void Interpreter::assign(const Assignment& assignment, bool exported) {
  const Variable* before = environment_.variables.find(assignment.name);
  Variable value;
  value.array = assignment.array || (before != nullptr && before->array);
  value.exported = exported;
  if (assignment.append && before != nullptr) value.elements = before->elements;
  if (assignment.array) {
    for (const auto& word : assignment.words)
      for (auto& field : expand_words(word, environment_)) value.elements.push_back(std::move(field));
    return set(assignment.name, std::move(value));
  }
  Field text = expand_text(assignment.words.front(), environment_);
  std::size_t at = 0;
  if (!assignment.index.empty()) {
    const auto index = arithmetic_of(assignment.index, environment_);
    if (!index || *index < 0 || *index > static_cast<std::int64_t>(kMaxElements))
      return set(assignment.name,
                 open_variable("$" + assignment.name, assignment.words.front().offset, "an array index that is not known"));
    at = static_cast<std::size_t>(*index);
  }
  if (before != nullptr) value.elements = before->elements;
  if (value.elements.size() <= at) value.elements.resize(at + 1);
  Field& element = value.elements[at];
  if (!assignment.append) element.clear();
  element.insert(element.end(), std::make_move_iterator(text.begin()), std::make_move_iterator(text.end()));
  set(assignment.name, std::move(value));
}

Status Interpreter::simple(const Command& command) {
  if (command.words.empty()) {
    for (const auto& assignment : command.assignments) assign(assignment, false);
    return Status::kTrue;
  }
  const auto first = command.words[0].bare().value_or("");
  if (first == "[" || first == "[[" || first == "test") return evaluate_test(command.words, environment_);
  if (among(kDeclarations, first)) {
    declare(command);
    return Status::kTrue;
  }
  std::vector<Field> words;
  for (const auto& word : command.words)
    for (auto& field : expand_words(word, environment_)) words.push_back(std::move(field));
  if (words.empty()) return Status::kAssumed;
  return named(command, std::move(words));
}

Status Interpreter::named(const Command& command, std::vector<Field> words) {
  const std::string name = text_of(words[0]);
  if (functions_.find(name) != functions_.end()) return call_function(name, std::move(words));
  if (name == "true" || name == ":") return Status::kTrue;
  if (name == "false") return Status::kFalse;
  if (name == "exit" || name == "return")
    stop_ = name == "exit" ? Stop::kExit : Stop::kReturn;
  else if (name == "break" || name == "continue")
    stop_ = name == "break" ? Stop::kBreak : Stop::kContinue;
  else if (name == "read" || name == "mapfile" || name == "readarray")
    read(command, words);
  else if (name == "unset")
    for (const auto& word : words) environment_.variables.unset(text_of(word));
  else if (name == "set")
    export_all_ = words.size() > 1 && (text_of(words[1]) == "-a" || text_of(words.back()) == "allexport") ? true : export_all_;
  else if (name == "eval") {
    Field text;
    for (std::size_t at = 1; at < words.size(); ++at) {
      if (at > 1) text.push_back({" ", command.offset, {}, false});
      text.insert(text.end(), words[at].begin(), words[at].end());
    }
    run_text(text, true);
  } else if (name == "source" || name == ".") {
    const std::string file = words.size() > 1 ? text_of(words[1]) : "";
    if (!file.ends_with("activate") && !file.ends_with("conda.sh"))
      notes_.push_back({command.offset, name + " " + file, "another script; what it sets is not known here"});
  } else if (name != "echo" && name != "printf" && name != "shift") {
    call(command, std::move(words));
  }
  return among(kQuestions, name) ? Status::kUnknown : Status::kAssumed;
}

Status Interpreter::call_function(const std::string& name, std::vector<Field> words) {
  Function& function = functions_[name];
  function.called = true;
  if (!words.empty()) words.erase(words.begin());
  std::swap(environment_.arguments, words);
  const bool was_inside = std::exchange(environment_.in_function, true);
  const Script* before = std::exchange(script_, function.script);
  const Status status = run_list(*function.body);
  script_ = before;
  environment_.in_function = was_inside;
  std::swap(environment_.arguments, words);
  if (stop_ == Stop::kReturn) stop_ = Stop::kNone;
  return status;
}

void Interpreter::declare(const Command& command) {
  bool exported = command.words[0].bare() == "export";
  for (const auto& word : command.words) {
    const auto option = word.bare().value_or("");
    if (&word == &command.words.front() || option.starts_with("-")) {
      exported = exported || (option.starts_with("-") && option.find('x') != std::string_view::npos);
    } else if (const auto assignment = as_assignment(word)) {
      assign(*assignment, exported);
    } else {
      const Field field = expand_text(word, environment_);
      const std::string text = text_of(field);
      const auto equals = text.find('=');
      if (equals == std::string::npos && exported) environment_.variables.mark_exported(text);
      if (equals == std::string::npos || field.empty() || field[0].text.size() <= equals || field[0].open) continue;
      Field value = field;
      value[0].text.erase(0, equals + 1);
      value[0].offset += equals + 1;
      set(text.substr(0, equals), {{std::move(value)}, false, exported});
    }
  }
  for (const auto& assignment : command.assignments) assign(assignment, exported);
}

/// `read -r -d '' NAME <<END` takes a text of the script; anything else is only known when the script runs.
void Interpreter::read(const Command& command, const std::vector<Field>& words) {
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string name = text_of(words[at]);
    if (assignment_name(name + "=") == 0) continue;
    const bool whole = command.heredoc && at + 1 == words.size() && text_of(words[0]) == "read";
    if (whole)
      set(name, {{expand_document(script_->heredocs[*command.heredoc], environment_)}, false, false});
    else
      set(name, open_variable("$" + name, command.offset, "read when the script runs"));
  }
}

void Interpreter::call(const Command& command, std::vector<Field> words) {
  Call call;
  for (const auto& assignment : command.assignments)
    if (!assignment.array) call.prefix.emplace_back(assignment.name, expand_text(assignment.words.front(), environment_));
  call.words = std::move(words);
  call.offset = command.offset;
  call.variables = &environment_.variables;
  call.condition = doubts_.empty() ? std::string{} : doubts_.front();
  on_call_(call);
  follow_nested(command, call.words);
}

/// `bash -c TEXT`, also behind `srun`, `ssh` and others, and heredocs.
void Interpreter::follow_nested(const Command& command, const std::vector<Field>& words) {
  bool shell = false;
  for (const auto& word : words) {
    const std::string text = text_of(word);
    const bool is_text = text.find_first_of(" \n") != std::string::npos && is_interesting(text);
    if (is_text && (shell || &word == &words.back())) return run_text(word, false);
    shell = shell || among(kShells, base_name(word));
  }
  if (!command.heredoc || (!shell && !among(kPassers, base_name(words[0])))) return;
  const Heredoc& heredoc = script_->heredocs[*command.heredoc];
  const Field text = expand_document(heredoc, environment_);
  if (is_interesting(text_of(text))) run_text(text, false);
}

void Interpreter::run_text(const Field& text, bool here) {
  if (!environment_.spend(text.size() + text_of(text).size() / 8)) return;
  auto script = std::make_unique<Script>(parse_script(script_of(text)));
  if (script->problem) {
    notes_.push_back({script->problem->offset, "a text for another shell", script->problem->what});
    return;
  }
  texts_.push_back(std::move(script));
  const Script* before = std::exchange(script_, texts_.back().get());
  if (!here) environment_.variables.push();
  ++depth_;
  run_list(script_->commands);
  --depth_;
  if (!here) environment_.variables.pop();
  script_ = before;
  if (!here) stop_ = Stop::kNone;
}

}  // namespace spillway::config::shell
