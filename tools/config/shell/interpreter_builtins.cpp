#include <algorithm>
#include <charconv>
#include <cstdio>

#include "tools/config/shell/arithmetic.hpp"
#include "tools/config/shell/interpreter.hpp"
#include "tools/config/shell/parser.hpp"

/// Bash's own commands.
namespace spillway::config::shell {
namespace {

/// `%5d` and longer are nobody's launch script.
constexpr std::size_t kMaxDirective = 6;

/// Commands of which nothing remains.
constexpr std::string_view kNothing[] = {"echo", "printf", "shopt", "ulimit", "umask", "wait", "sleep", "hash", "alias", "unalias"};
/// Signals that come, if ever, when the run is over or the script ends.
constexpr std::string_view kEnds[] = {"EXIT", "INT", "TERM", "HUP",    "QUIT",    "0",      "1",
                                      "2",    "3",   "15",   "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"};

bool is_name(std::string_view word) { return assignment_name(std::string(word) + "=") > 0; }

Field joined(const std::vector<Field>& words, std::size_t from, std::size_t offset) {
  Field out;
  for (std::size_t at = from; at < words.size(); ++at) {
    if (at > from) out.push_back({" ", offset, {}, false});
    out.insert(out.end(), words[at].begin(), words[at].end());
  }
  return out;
}

std::optional<std::size_t> count_of(const std::vector<Field>& words) {
  if (words.size() < 2) return 1;
  const auto number = integer_of(words[1]);
  return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

}  // namespace

/// Nothing for a command that is none of bash's own.
std::optional<Status> Interpreter::builtin(const std::string& name, const Command& command, const std::vector<Field>& words) {
  if (name == "true" || name == ":") return Status::kTrue;
  if (name == "false") return Status::kFalse;
  if (name == "exit" || name == "return" || name == "break" || name == "continue") return jump(name, words);
  if (name == "let") {
    Status status = Status::kUnknown;
    for (std::size_t at = 1; at < words.size(); ++at) status = calculate(text_of(words[at]));
    return status;
  }
  if (name == "printf" && words.size() > 1 && text_of(words[1]) == "-v")
    print_into(command, words);
  else if (name == "read" || name == "mapfile" || name == "readarray")
    read(command, words);
  else if (name == "getopts" && words.size() > 2) {
    for (const auto& variable : {text_of(words[2]), std::string("OPTARG")})
      if (is_name(variable)) set_open(variable, command.offset, "an option given when the script is started");
    return Status::kUnknown;
  } else if (name == "unset")
    unset(words);
  else if (name == "set")
    set_options(words);
  else if (name == "shift")
    shift(words);
  else if (name == "eval")
    evaluate(command, words);
  else if (name == "source" || name == ".")
    source(command, words);
  else if (name == "trap")
    trap(command, words);
  else if (!among(kNothing, name))
    return std::nullopt;
  return Status::kAssumed;
}

Status Interpreter::jump(const std::string& name, const std::vector<Field>& words) {
  const Stop stop = name == "exit" ? Stop::kExit : name == "return" ? Stop::kReturn : name == "break" ? Stop::kBreak : Stop::kContinue;
  const bool caught = std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.catches == stop; });
  // Out of place, bash only complains.
  if (!caught && stop != Stop::kExit && subshells_ == 0) return Status::kAssumed;
  if ((stop == Stop::kBreak || stop == Stop::kContinue) && count_of(words) != 1)
    note(words[0].empty() ? 0 : words[0].front().offset, name + " over several loops", "it is taken as one over the innermost loop");
  stop_ = stop;
  const auto code = words.size() > 1 ? integer_of(words[1]) : std::nullopt;
  if (words.size() < 2) return Status::kAssumed;
  return !code ? Status::kUnknown : *code == 0 ? Status::kTrue : Status::kFalse;
}

Status Interpreter::calculate(std::string_view text) {
  environment_.touched = {};
  const auto value = arithmetic_of(text, environment_);
  status_ground_ = environment_.touched;
  for (const auto& name : assigned_in(text)) rests(name, true);
  return !value ? Status::kUnknown : *value != 0 ? Status::kTrue : Status::kFalse;
}

/// `printf -v NAME FORMAT WORDS`, as far as the format is plain.
void Interpreter::print_into(const Command& command, const std::vector<Field>& words) {
  if (words.size() < 3) return;
  const std::string name = text_of(words[2]);
  if (!is_name(name) || refused(name, command.offset)) return;
  const Field format = words.size() > 3 ? words[3] : Field{};
  const std::string text = text_of(format);
  Field out;
  bool followed = uncertain(format) == nullptr && !format.empty();
  std::size_t next = 4;
  for (std::size_t at = 0; followed && at < text.size(); ++at) {
    const std::size_t end = text[at] == '%' ? text.find_first_not_of("-0123456789", at + 1) : at;
    followed = end != std::string::npos && end - at < kMaxDirective && text[at] != '\\';
    if (!followed) break;
    const char kind = text[end];
    const Field word = next < words.size() ? words[next] : Field{};
    if (text[at] != '%' || kind == '%') {
      out.push_back({std::string(1, kind), format.front().offset + end, {}, false});
    } else if (kind == 's' && end == at + 1) {
      out.insert(out.end(), word.begin(), word.end());
      ++next;
    } else if ((kind == 'd' || kind == 'i') && (integer_of(word) || word.empty())) {
      char digits[64];
      const std::string directive = text.substr(at, end - at) + "lld";
      std::snprintf(digits, sizeof digits, directive.c_str(), static_cast<long long>(integer_of(word).value_or(0)));  // NOLINT
      out.push_back({digits, word.empty() ? command.offset : word.front().offset, {}, false});
      ++next;
    } else {
      followed = false;
    }
    at = end;
  }
  environment_.touched = {};
  for (const auto& [index, grounds] : word_grounds_) add(environment_.touched, grounds);
  if (!followed || next < words.size()) {
    rests(name, false);
    return set_open(name, command.offset, "printf puts it together when the script runs");
  }
  set(name, {{std::move(out)}, false, false}, command.offset);
}

Interpreter::Reading Interpreter::read_options(const std::vector<Field>& words) {
  Reading out;
  bool options = true;
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string word = text_of(words[at]);
    options = options && word.starts_with("-");
    if (!options) {
      if (is_name(word)) out.names.push_back(word);
      continue;
    }
    const char last = word.back();
    if (last == 'a') out.array = true;
    if (last == 'd' && at + 1 < words.size() && text_of(words[at + 1]).empty()) out.whole = true;
    if (last == 'd' || last == 'n' || last == 'N' || last == 'i' || last == 'u' || last == 't') out.odd = true;
    if (std::string_view("dpnNitu").find(last) != std::string_view::npos) ++at;
  }
  if (out.names.empty()) out.names.push_back("REPLY");
  return out;
}

void Interpreter::read(const Command& command, const std::vector<Field>& words) {
  environment_.touched = {};
  Reading how = read_options(words);
  const bool lines = text_of(words[0]) != "read";
  if (lines) how.names = {is_name(text_of(words.back())) && words.size() > 1 ? text_of(words.back()) : "MAPFILE"};
  if (!lines && command.heredoc && read_exactly(command, how)) return;
  for (const auto& name : how.names) {
    if (refused(name, command.offset)) continue;
    rests(name, false);
    set_open(name, command.offset, "read when the script runs");
  }
}

/// A heredoc or here-string is a text of the script. False when it is not certain how it is cut.
bool Interpreter::read_exactly(const Command& command, const Reading& how) {
  const Field document = expand_document(script_->heredocs[*command.heredoc], environment_);
  if (how.whole && how.names.size() == 1 && !how.array) {
    set(how.names[0], {{document}, false, false}, command.offset);
    return true;
  }
  if (how.odd || uncertain(document) != nullptr) return false;
  std::string blanks = " \t";
  for (const auto& assignment : command.assignments) {
    if (assignment.name != "IFS") continue;
    const Field separators = expand_text(assignment.words.front(), environment_);
    if (uncertain(separators) != nullptr) return false;
    blanks = text_of(separators);
  }
  Text text;
  for (const auto& fragment : document) text.append(fragment.text, fragment.offset);
  const std::string_view line = text.view().substr(0, text.view().find('\n'));
  std::vector<Field> parts;
  for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();) {
    const bool last = !how.array && parts.size() + 1 == how.names.size();
    const std::size_t end = last ? line.size() : std::min(line.find_first_of(blanks.empty() ? "\n" : blanks, at), line.size());
    parts.push_back({{std::string(line.substr(at, end - at)), text.origin(at), {}, false}});
    at = blanks.find_first_not_of(" \t") == std::string::npos ? std::min(line.find_first_not_of(blanks, end), line.size()) : end + 1;
  }
  if (how.array) {
    set(how.names[0], {std::move(parts), true, false}, command.offset);
    return true;
  }
  parts.resize(how.names.size());
  for (std::size_t at = 0; at < how.names.size(); ++at) set(how.names[at], {{std::move(parts[at])}, false, false}, command.offset);
  return true;
}

void Interpreter::set_options(const std::vector<Field>& words) {
  std::size_t at = 1;
  for (; at < words.size(); ++at) {
    const std::string word = text_of(words[at]);
    if (word == "--" || word.size() < 2 || (word[0] != '-' && word[0] != '+')) break;
    const bool named = word.back() == 'o' && at + 1 < words.size();
    if (word.find('a') != std::string::npos || (named && text_of(words[at + 1]) == "allexport")) export_all_ = word[0] == '-';
    if (named) ++at;
  }
  if (at >= words.size()) return;
  if (text_of(words[at]) == "--") ++at;
  give_arguments({words.begin() + static_cast<std::ptrdiff_t>(at), words.end()});
  ++argument_changes_;
}

void Interpreter::shift(const std::vector<Field>& words) {
  if (!environment_.arguments_known) return;
  const auto count = count_of(words);
  auto& arguments = environment_.arguments;
  if (!count) environment_.arguments_known = !(environment_.arguments_differ = true);
  if (count && *count <= arguments.size()) arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(*count));
  ++argument_changes_;
}

void Interpreter::unset(const std::vector<Field>& words) {
  bool functions = false, variables = true;
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string word = text_of(words[at]);
    const std::size_t offset = words[at].empty() ? 0 : words[at].front().offset;
    if (word.starts_with("-")) {
      functions = word == "-f";
      variables = !functions;
    } else if (uncertain(words[at]) != nullptr) {
      unfollowed(offset, "unset " + word, "what it unsets is only known when the script runs");
    } else if (const auto bracket = word.find('['); bracket != std::string::npos) {
      if (is_name(word.substr(0, bracket))) set_open(word.substr(0, bracket), offset, "one of its elements is unset");
    } else if (variables && is_name(word) && !refused(word, offset)) {
      environment_.touched = {};
      rests(word, false);
      exports_.erase(word);
      environment_.variables.unset(word);
    } else if (functions) {
      functions_.erase(word);
    }
  }
}

void Interpreter::evaluate(const Command& command, const std::vector<Field>& words) {
  const Field text = joined(words, 1, command.offset);
  const bool open = uncertain(text) != nullptr;
  const std::string written = text_of(text);
  run_text(text);
  // What begins as a known command is that; the rest may be anything.
  const bool starts_known = !text.empty() && text.front().reason.empty() && written.find('=') >= written.find(' ');
  if (!open || starts_known) return;
  unfollowed(command.offset, "eval " + written.substr(0, 100), "what it runs is only known when the script runs");
}

void Interpreter::source(const Command& command, const std::vector<Field>& words) {
  const std::string file = words.size() > 1 ? text_of(words[1]) : "";
  if (file.ends_with("activate") || file.ends_with("conda.sh")) return;
  unfollowed(command.offset, text_of(words[0]) + " " + file, "another script; what it sets is not known here");
}

void Interpreter::trap(const Command& command, const std::vector<Field>& words) {
  if (words.size() < 3) return;
  const bool at_end = std::all_of(words.begin() + 2, words.end(), [](const Field& word) { return among(kEnds, text_of(word)); });
  const Script script = parse_script(script_of(words[1], environment_));
  if (at_end || script.problem) return;
  forget(script.commands, "may be changed by a trap");
  note(command.offset, "trap " + text_of(words[1]).substr(0, 100), "it runs whenever a signal comes");
}

void Interpreter::unfollowed(std::size_t offset, const std::string& what, const std::string& why) {
  note(offset, what, why);
  environment_.touched = {};
  environment_.assume(what, "it changes none of the values set before it", offset);
  add(always_, environment_.touched);
}

}  // namespace spillway::config::shell
