#include "tools/config/shell/expand.hpp"

#include <algorithm>
#include <charconv>

#include "tools/config/python_literals.hpp"
#include "tools/config/shell/arithmetic.hpp"
#include "tools/config/shell/parameter.hpp"
#include "tools/config/shell/syntax.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
/// More of them than anybody reads.
constexpr std::size_t kMaxAssumptions = 256;
/// The longest arithmetic expression that is followed.
constexpr std::size_t kMaxFormula = 1u << 16;

Expansion expand_piece(const Piece& piece, Environment& environment, bool unset_is_empty, int depth);

Expansion arithmetic(const Piece& piece, Environment& environment) {
  const auto value = arithmetic_of(std::string_view(piece.text).substr(3, piece.text.size() - 5), environment);
  if (!value) return {{open_field(piece, "computed from what this script does not set")}, false};
  return {{{{std::to_string(*value), piece.offset, {}, false}}}, false};
}

/// `$(cat <<END … END)` is a text of the script after all; what other commands print is not known.
Expansion command(const Piece& piece, Environment& environment) {
  const bool readable =
      piece.text.starts_with("$(cat <<") && environment.nesting < kMaxNesting && environment.spend(piece.text.size() / 64);
  if (!readable) return {{open_field(piece, "the output of a command")}, false};
  Text inside;
  inside.append(std::string_view(piece.text).substr(2, piece.text.size() - 3), piece.offset + 2);
  const Script script = parse_script(inside);
  if (script.problem || script.commands.size() != 1 || !script.commands[0].heredoc)
    return {{open_field(piece, "the output of a command")}, false};
  ++environment.nesting;
  Field document = expand_document(script.heredocs[*script.commands[0].heredoc], environment);
  --environment.nesting;
  return {{std::move(document)}, false};
}

Expansion kept(const Piece& piece, Environment& environment) {
  std::size_t number = 0;
  std::from_chars(piece.text.data(), piece.text.data() + piece.text.size(), number);
  if (number >= environment.kept.size()) return {{open_field(piece, "an expansion that is not followed")}, false};
  return {{{environment.kept[number]}}, false};
}

Expansion expand_piece(const Piece& piece, Environment& environment, bool unset_is_empty, int depth) {
  switch (piece.kind) {
    case Piece::Kind::kVariable:
      return expand_parameter(piece, environment, unset_is_empty, depth);
    case Piece::Kind::kArithmetic:
      return arithmetic(piece, environment);
    case Piece::Kind::kCommand:
      return command(piece, environment);
    case Piece::Kind::kKept:
      return kept(piece, environment);
    case Piece::Kind::kLiteral:
      break;
  }
  return {{{{piece.text, piece.offset, {}, false}}}, false};
}

/// All values of the pieces in a row; several of one expansion are joined by blanks.
Field joined(const Word& word, Environment& environment, bool unset_is_empty, int depth) {
  Field out;
  for (const auto& piece : word.pieces) {
    const Expansion expansion = expand_piece(piece, environment, unset_is_empty, depth);
    for (const auto& value : expansion.values) {
      if (&value != &expansion.values.front()) out.push_back({" ", piece.offset, {}, false});
      out.insert(out.end(), value.begin(), value.end());
    }
  }
  return out;
}

/// What words are split at: `IFS`, where the script sets it.
std::string separators(const Environment& environment) {
  const Variable* set = environment.variables.find("IFS");
  return set == nullptr || uncertain(set->scalar()) != nullptr ? std::string(kBlanks) : text_of(set->scalar());
}

/// Unquoted braces that bash takes apart: `{a,b}`, `{1..4}`.
bool has_braces(const Word& word) {
  std::string bare;
  for (const auto& piece : word.pieces) bare += piece.kind == Piece::Kind::kLiteral && !piece.quoted ? piece.text : "x";
  for (auto open = bare.find('{'); open != std::string::npos; open = bare.find('{', open + 1)) {
    const auto close = bare.find('}', open);
    if (close == std::string::npos) return false;
    const std::string_view inside = std::string_view(bare).substr(open, close - open);
    if (inside.find(',') != std::string_view::npos || inside.find("..") != std::string_view::npos) return true;
  }
  return false;
}

/// Collects the words of one word.
class Splitter {
 public:
  explicit Splitter(Environment& environment) : environment_(environment) {}

  std::vector<Field> words(const Word& word) {
    for (const auto& piece : word.pieces) add(piece);
    end(word.quoted && out_.empty() && !vanished_);
    if (cut_) out_.push_back({{word.text(), word.offset, "the expansions of this script grow too large", true}});
    return std::move(out_);
  }

 private:
  void add(const Piece& piece) {
    const Expansion expansion = expand_piece(piece, environment_, false, 0);
    vanished_ = vanished_ || (expansion.apart && expansion.values.empty());
    const bool splits = !piece.quoted && piece.kind != Piece::Kind::kLiteral;
    for (const auto& value : expansion.values) {
      if (&value != &expansion.values.front()) between(piece, expansion.apart || splits);
      started_ = started_ || (piece.quoted && (expansion.apart || !value.empty()));
      for (const auto& fragment : value) splits && !fragment.open ? split(fragment) : push(fragment);
    }
  }

  void between(const Piece& piece, bool apart) {
    if (apart)
      end(false);
    else
      push({" ", piece.offset, {}, false});
  }

  void push(Fragment fragment) {
    current_.push_back(std::move(fragment));
    started_ = true;
  }

  void split(const Fragment& fragment) {
    const std::string_view text = fragment.text;
    if (blanks_.empty()) blanks_ = separators(environment_);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t blank = std::min(text.find_first_of(blanks_, at), text.size());
      cut_ = cut_ || !environment_.spend(1);
      if (cut_) return;
      if (blank > at) push({std::string(text.substr(at, blank - at)), fragment.offset + at, fragment.reason, false});
      if (blank < text.size()) end(false);
      at = blank + 1;
    }
  }

  void end(bool even_when_empty) {
    if (started_ || even_when_empty) out_.push_back(std::move(current_));
    current_ = {};
    started_ = false;
  }

  Environment& environment_;
  std::string blanks_;  ///< Once something is split.
  std::vector<Field> out_;
  Field current_;
  bool cut_ = false;
  bool started_ = false;
  bool vanished_ = false;  ///< An array without elements leaves no word, not even in quotes.
};

}  // namespace

bool Environment::spend(std::size_t amount) {
  const bool suffices = amount <= budget;
  budget = suffices ? budget - amount : 0;
  return suffices;
}

void Environment::assume(const std::string& subject, const std::string& taken, std::size_t offset) {
  auto found = std::find_if(assumptions.begin(), assumptions.end(), [&](const auto& known) { return known.subject == subject; });
  if (found == assumptions.end()) {
    if (assumptions.size() >= kMaxAssumptions) return;
    found = assumptions.insert(found, {subject, taken, offset});
  }
  add(touched, {static_cast<std::size_t>(found - assumptions.begin())});
}

void Environment::assume_no_arguments(std::size_t offset) { assume("$@", "the script is started without words of its own", offset); }

void Environment::touch(std::string_view name) {
  const auto found = grounds_of.find(variables.resolve(name));
  if (found != grounds_of.end()) add(touched, found->second);
}

void add(Grounds& to, const Grounds& from) {
  Grounds out;
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(out));
  to = std::move(out);
}

std::vector<Field> expand_words(const Word& word, Environment& environment) {
  if (!has_braces(word)) return Splitter(environment).words(word);
  return {{{word.text(), word.offset, "braces that the shell takes apart are not followed", true}}};
}

Field expand_text(const Word& word, Environment& environment) { return joined(word, environment, false, 0); }

Field expand_for_test(const Word& word, Environment& environment) { return joined(word, environment, true, 0); }

Field expand_operand(const Text& text, Environment& environment, int depth) {
  Lexer lexer(text, Lexer::Mode::kWords);
  return joined(lexer.whole(), environment, false, depth);
}

Field expand_document(const Heredoc& heredoc, Environment& environment) {
  if (heredoc.word) return expand_text(*heredoc.word, environment);
  Lexer lexer(heredoc.body, Lexer::Mode::kWords);
  if (!heredoc.verbatim) return joined(lexer.document(), environment, false, 0);
  Field out;
  for (std::size_t at = 0; at < heredoc.body.size();) {
    const std::size_t end = std::min(heredoc.body.view().find('\n', at), heredoc.body.size() - 1) + 1;
    out.push_back({std::string(heredoc.body.view().substr(at, end - at)), heredoc.body.origin(at), {}, false});
    at = end;
  }
  return out;
}

Text script_of(const Field& field, Environment& environment) {
  Text out;
  for (const auto& fragment : field) {
    if (fragment.reason.empty()) {
      out.append(fragment.text, fragment.offset);
    } else {
      out.append(kept_mark(environment.kept.size()), fragment.offset);
      environment.kept.push_back(fragment);
    }
  }
  return out;
}

bool is_set_by_system(std::string_view name) {
  constexpr std::string_view kNames[] = {"EPOCHREALTIME", "EPOCHSECONDS", "EUID",   "FUNCNAME", "GROUPS",   "HOME",    "HOSTNAME",
                                         "HOSTTYPE",      "IFS",          "LINENO", "LOGNAME",  "MACHTYPE", "OPTIND",  "OSTYPE",
                                         "PATH",          "PIPESTATUS",   "PPID",   "PWD",      "RANDOM",   "SECONDS", "SHELL",
                                         "SHLVL",         "SRANDOM",      "TERM",   "UID",      "USER"};
  return name.starts_with("BASH") || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::optional<std::int64_t> integer_of(const Field& field) {
  if (uncertain(field) != nullptr) return std::nullopt;
  const auto value = python_int(text_of(field));
  return value && value->integer() != nullptr ? std::optional(*value->integer()) : std::nullopt;
}

namespace {

/// Bash expands what begins with a dollar first, and calculates then.
std::optional<std::string> without_expansions(std::string_view text, Environment& environment) {
  if (text.find_first_of("$`") == std::string_view::npos) return std::string(text);
  const Text whole{std::string(text)};
  Lexer lexer(whole, Lexer::Mode::kWords);
  const Field field = joined(lexer.document(), environment, false, environment.nesting);
  return lexer.problem() || uncertain(field) != nullptr ? std::nullopt : std::optional(text_of(field));
}

std::optional<std::int64_t> calculated(std::string_view text, Environment& environment);

/// A variable's text is an expression of its own; without text it counts as nothing.
std::optional<std::int64_t> recalled(std::string_view name, Environment& environment) {
  environment.touch(name);
  const Variable* variable = environment.variables.find(name);
  if (variable == nullptr) return environment.variables.is_unset(name) ? std::optional<std::int64_t>(0) : std::nullopt;
  if (uncertain(variable->scalar()) != nullptr || variable->bytes > kMaxFormula) return std::nullopt;
  const std::string text(trim(text_of(variable->scalar())));
  return text.empty() ? std::optional<std::int64_t>(0) : calculated(text, environment);
}

void store(std::string_view name, Field value, Environment& environment) {
  if (environment.variables.is_readonly(name)) return;
  const std::string key(name);
  const Variable* before = environment.variables.find(name);
  if (before != nullptr && before->array && !before->elements.empty()) {
    environment.variables.own(key)->elements.front() = std::move(value);
    return;
  }
  environment.variables.set(key, {{std::move(value)}, false, false});
}

std::optional<std::int64_t> calculated(std::string_view text, Environment& environment) {
  if (environment.nesting >= kMaxNesting || text.size() > kMaxFormula || !environment.spend(1 + text.size() / 64)) return std::nullopt;
  ++environment.nesting;
  const auto written = without_expansions(text, environment);
  const auto value = !written ? std::nullopt
                              : evaluate_arithmetic(
                                    *written, [&](std::string_view name) { return recalled(name, environment); },
                                    [&](std::string_view name, std::int64_t number) {
                                      store(name, {{std::to_string(number), 0, {}, false}}, environment);
                                    });
  --environment.nesting;
  return value;
}

}  // namespace

std::optional<std::int64_t> arithmetic_of(std::string_view text, Environment& environment) {
  const auto value = calculated(text, environment);
  if (!value)
    for (const auto& name : assigned_in(text))
      store(name, {{"$" + name, 0, "computed from what this script does not set", true}}, environment);
  return value;
}

}  // namespace spillway::config::shell
