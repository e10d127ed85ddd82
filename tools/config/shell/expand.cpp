#include "tools/config/shell/expand.hpp"

#include <algorithm>

#include "tools/config/python_literals.hpp"
#include "tools/config/shell/arithmetic.hpp"
#include "tools/config/shell/parameter.hpp"
#include "tools/config/shell/syntax.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

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

Expansion expand_piece(const Piece& piece, Environment& environment, bool unset_is_empty, int depth) {
  switch (piece.kind) {
    case Piece::Kind::kVariable:
      return expand_parameter(piece, environment, unset_is_empty, depth);
    case Piece::Kind::kArithmetic:
      return arithmetic(piece, environment);
    case Piece::Kind::kCommand:
      return command(piece, environment);
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

/// Collects the words of one word.
class Splitter {
 public:
  explicit Splitter(Environment& environment) : environment_(environment) {}

  std::vector<Field> words(const Word& word) {
    for (const auto& piece : word.pieces) add(piece);
    end(word.quoted && out_.empty() && !vanished_);
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
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t blank = std::min(text.find_first_of(kBlanks, at), text.size());
      if (blank > at && environment_.spend(1))
        push({std::string(text.substr(at, blank - at)), fragment.offset + at, fragment.reason, false});
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
  std::vector<Field> out_;
  Field current_;
  bool started_ = false;
  bool vanished_ = false;  ///< An array without elements leaves no word, not even in quotes.
};

}  // namespace

bool Environment::spend(std::size_t amount) {
  const bool suffices = amount <= budget;
  budget = suffices ? budget - amount : 0;
  return suffices;
}

std::vector<Field> expand_words(const Word& word, Environment& environment) { return Splitter(environment).words(word); }

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

std::optional<std::int64_t> integer_of(const Field& field) {
  if (uncertain(field) != nullptr) return std::nullopt;
  const auto value = python_int(text_of(field));
  return value && value->integer() != nullptr ? std::optional(*value->integer()) : std::nullopt;
}

std::optional<std::int64_t> arithmetic_of(std::string_view text, Environment& environment) {
  return evaluate_arithmetic(text, [&](std::string_view name) -> std::optional<std::int64_t> {
    const Piece piece{Piece::Kind::kVariable, "$" + std::string(name), 0, false};
    const Expansion expansion = expand_parameter(piece, environment, false, 0);
    return expansion.values.empty() ? std::nullopt : integer_of(expansion.values[0]);
  });
}

}  // namespace spillway::config::shell
