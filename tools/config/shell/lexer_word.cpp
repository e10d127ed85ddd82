#include "tools/config/shell/lexer.hpp"

#include <algorithm>

#include "tools/config/shell/balance.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::string_view kSpecial = " \t\n\r\v\f;&|<>()'\"\\$`";
constexpr std::string_view kSpecialInQuotes = "\"\\$`";
constexpr std::string_view kSpecialParameters = "@*#?$!-0123456789";

/// What `\c` stands for inside `$'…'`; only the escapes that occur in arguments.
char ansi_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

constexpr char kKeptBegin = '\x01', kKeptEnd = '\x02';

/// Length of a kept_mark() that the text starts with, or 0.
std::size_t kept_length(std::string_view text) {
  if (text.size() < 3 || text[0] != kKeptBegin) return 0;
  const std::size_t end = text.find_first_not_of("0123456789", 1);
  return end != std::string_view::npos && end > 1 && end < 10 && text[end] == kKeptEnd ? end + 1 : 0;
}

}  // namespace

std::string kept_mark(std::size_t number) { return kKeptBegin + std::to_string(number) + kKeptEnd; }

bool Lexer::ends_word(char c) const {
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f') return true;
  return script_ && std::string_view(";&|<>()").find(c) != std::string_view::npos;
}

/// Adds characters to the word's last piece when they stand beside it in the file, or to new ones.
void Lexer::literal(Word& word, std::size_t at, std::size_t length, bool quoted) {
  while (length > 0) {
    const std::size_t offset = text_.origin(at);
    if (const std::size_t mark = kept_length(view_.substr(at, length))) {
      word.pieces.push_back({Piece::Kind::kKept, std::string(view_.substr(at + 1, mark - 2)), offset, quoted});
      at += mark;
      length -= mark;
      continue;
    }
    const std::size_t next = std::max<std::size_t>(view_.substr(at, length).find(kKeptBegin, 1), 1);
    const std::size_t run = std::min({length, text_.contiguous(at), next});
    Piece* last = word.pieces.empty() ? nullptr : &word.pieces.back();
    const bool beside =
        last != nullptr && last->kind == Piece::Kind::kLiteral && last->quoted == quoted && last->offset + last->text.size() == offset;
    if (beside)
      last->text += view_.substr(at, run);
    else
      word.pieces.push_back({Piece::Kind::kLiteral, std::string(view_.substr(at, run)), offset, quoted});
    at += run;
    length -= run;
  }
}

/// How many characters stand here before one that may mean something; at least one.
std::size_t Lexer::plain_length(std::string_view specials) const {
  const std::size_t end = std::min(view_.find_first_of(specials, at_ + 1), view_.size());
  return end - at_;
}

void Lexer::take_plain(Word& word, std::string_view specials, bool quoted) {
  if (problem_) return;
  const std::size_t length = plain_length(specials);
  literal(word, at_, length, quoted);
  at_ += length;
}

Lexeme Lexer::word() {
  Lexeme lexeme;
  lexeme.kind = Lexeme::Kind::kWord;
  lexeme.offset = offset();
  lexeme.word.offset = lexeme.offset;
  if (starts("<(") || starts(">(")) {
    const std::size_t end = balanced_end(view_, at_);
    if (end == std::string_view::npos) return fail(at_, "a process substitution that is not closed");
    expansion_piece(lexeme.word, Piece::Kind::kCommand, end, true);
  }
  while (!done() && !ends_word(peek()) && !problem_) word_part(lexeme.word);
  if (problem_) return {};
  if (is_redirect_number(lexeme.word)) return next();
  if (script_ && !in_array_ && peek() == '(' && !lexeme.word.quoted && lexeme.word.pieces.size() == 1) {
    const std::string& name = lexeme.word.pieces[0].text;
    const std::size_t length = assignment_name(name);
    if (length > 0 && name.size() == name.find('=') + 1) return array(std::move(lexeme.word));
  }
  return lexeme;
}

/// The `2` of `2>&1` is no word.
bool Lexer::is_redirect_number(const Word& word) const {
  const auto text = word.bare();
  return script_ && text && (peek() == '<' || peek() == '>') && text->find_first_not_of("0123456789") == std::string_view::npos;
}

Word Lexer::whole() {
  Word word;
  word.offset = offset();
  while (!done() && !problem_) word_part(word);
  return word;
}

Word Lexer::document() {
  Word word;
  word.offset = offset();
  word.quoted = true;
  while (!done() && !problem_) {
    if (const std::size_t length = continuation()) {
      at_ += length;
    } else if (peek() == '\\' && (peek(1) == '$' || peek(1) == '`' || peek(1) == '\\')) {
      literal(word, at_ + 1, 1, true);
      at_ += 2;
    } else if ((peek() != '$' && peek() != '`') || !expansion(word, true)) {
      take_plain(word, kSpecialInQuotes, true);
    }
  }
  return word;
}

void Lexer::word_part(Word& word) {
  if (const std::size_t length = continuation()) {
    at_ += length;
  } else if (peek() == '\\' && at_ + 1 < view_.size()) {
    literal(word, at_ + 1, 1, true);
    word.quoted = true;
    at_ += 2;
  } else if (peek() == '\'') {
    single_quoted(word);
  } else if (peek() == '"') {
    double_quoted(word);
  } else if ((peek() != '$' && peek() != '`') || !expansion(word, false)) {
    take_plain(word, kSpecial, false);
  }
}

void Lexer::single_quoted(Word& word) {
  const std::size_t close = view_.find('\'', at_ + 1);
  if (close == std::string_view::npos) {
    fail(at_, "a single quote that is not closed");
    return;
  }
  word.quoted = true;
  literal(word, at_ + 1, close - at_ - 1, true);
  at_ = close + 1;
}

void Lexer::ansi_quoted(Word& word) {
  const std::size_t begin = at_;
  word.quoted = true;
  for (at_ += 2; !done() && peek() != '\''; ++at_) {
    if (peek() != '\\' || at_ + 1 >= view_.size()) {
      const std::size_t end = std::min(view_.find_first_of("\\'", at_ + 1), view_.size());
      literal(word, at_, end - at_, true);
      at_ = end - 1;
      continue;
    }
    ++at_;
    word.pieces.push_back({Piece::Kind::kLiteral, std::string(1, ansi_escape(peek())), text_.origin(at_), true});
  }
  if (done()) {
    fail(begin, "a quote that is not closed");
    return;
  }
  ++at_;
}

void Lexer::double_quoted(Word& word) {
  const std::size_t begin = at_;
  word.quoted = true;
  for (++at_; !done() && peek() != '"' && !problem_;) {
    if (const std::size_t length = continuation()) {
      at_ += length;
    } else if (peek() == '\\' && std::string_view("$`\"\\").find(peek(1)) != std::string_view::npos && at_ + 1 < view_.size()) {
      literal(word, at_ + 1, 1, true);
      at_ += 2;
    } else if ((peek() != '$' && peek() != '`') || !expansion(word, true)) {
      take_plain(word, kSpecialInQuotes, true);
    }
  }
  if (problem_) return;
  if (done()) {
    fail(begin, "a double quote that is not closed");
    return;
  }
  ++at_;
}

void Lexer::expansion_piece(Word& word, Piece::Kind kind, std::size_t end, bool quoted) {
  word.pieces.push_back({kind, std::string(view_.substr(at_, end - at_)), offset(), quoted});
  at_ = end;
}

/// Reads what a `$` or a backtick starts; false when it stands for itself.
bool Lexer::expansion(Word& word, bool quoted) {
  const char second = peek(1);
  if (peek() == '`' || second == '(' || second == '{') {
    const std::size_t end = balanced_end(view_, at_);
    if (end == std::string_view::npos) {
      fail(at_, "an expansion that is not closed");
      return true;
    }
    const bool arithmetic = starts("$((") && view_[end - 2] == ')';
    const auto kind = second == '{' && peek() == '$' ? Piece::Kind::kVariable
                      : arithmetic                   ? Piece::Kind::kArithmetic
                                                     : Piece::Kind::kCommand;
    expansion_piece(word, kind, end, quoted);
    return true;
  }
  if (second == '\'' && !quoted) {
    ansi_quoted(word);
    return true;
  }
  if (second == '"' && !quoted) {
    ++at_;
    return true;
  }
  std::size_t end = at_ + 1;
  if (at_ + 1 < view_.size() && kSpecialParameters.find(second) != std::string_view::npos)
    ++end;
  else
    while (end < view_.size() && is_name_char(view_[end])) ++end;
  if (end == at_ + 1) return false;
  expansion_piece(word, Piece::Kind::kVariable, end, quoted);
  return true;
}

/// The words of `NAME=( … )`, over line ends and comments.
Lexeme Lexer::array(Word name) {
  const std::size_t begin = at_++;
  Lexeme lexeme;
  lexeme.kind = Lexeme::Kind::kArray;
  lexeme.offset = name.offset;
  lexeme.array.name = std::move(name);
  in_array_ = true;
  for (Lexeme inside = next(); inside.kind != Lexeme::Kind::kEnd; inside = next()) {
    if (inside.kind == Lexeme::Kind::kWord) lexeme.array.words.push_back(std::move(inside.word));
    if (inside.kind != Lexeme::Kind::kOperator || inside.text != ")") continue;
    in_array_ = false;
    return lexeme;
  }
  return fail(begin, "an array that is not closed");
}

}  // namespace spillway::config::shell
