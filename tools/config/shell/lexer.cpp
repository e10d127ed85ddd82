#include "tools/config/shell/lexer.hpp"

#include <algorithm>

#include "tools/config/shell/balance.hpp"

namespace spillway::config::shell {
namespace {

/// Longest first, so that the first match is the right one.
constexpr std::string_view kOperators[] = {"&>>", "<<<", "<<-", ";;&", "&&", "||", ";;", ";&", "|&", "<<", ">>", "<&",
                                           ">&",  "&>",  "<>",  ">|",  ";",  "&",  "|",  "<",  ">",  "(",  ")"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

constexpr std::string_view kDirective = "#SBATCH";

}  // namespace

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::size_t assignment_name(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_name_char(text[length])) ++length;
  if (length == 0 || (text[0] >= '0' && text[0] <= '9')) return 0;
  return text.substr(length).starts_with("=") || text.substr(length).starts_with("+=") ? length : 0;
}

std::optional<std::string_view> Word::bare() const {
  if (quoted || pieces.size() != 1 || pieces[0].kind != Piece::Kind::kLiteral) return std::nullopt;
  return pieces[0].text;
}

std::string Word::text() const {
  std::string out;
  for (const auto& piece : pieces) out += piece.text;
  return out;
}

Lexeme Lexer::fail(std::size_t begin, std::string what) {
  if (!problem_) problem_ = Problem{text_.origin(begin), std::move(what)};
  at_ = view_.size();
  return {};
}

/// Length of a backslash and the line end after it, or 0.
std::size_t Lexer::continuation() const {
  if (peek() != '\\') return 0;
  if (peek(1) == '\n') return 2;
  return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
}

void Lexer::skip_blanks() {
  while (!done()) {
    const bool blank = is_blank(peek()) || (!script_ && peek() == '\n');
    const std::size_t length = blank ? 1 : continuation();
    if (length == 0) return;
    at_ += length;
  }
}

/// Skips a comment; the ones that Slurm reads are lexemes.
std::optional<Lexeme> Lexer::comment() {
  const std::size_t begin = at_;
  at_ = std::min(view_.find('\n', at_), view_.size());
  const std::string_view line = view_.substr(begin, at_ - begin);
  if (!script_ || !line.starts_with(kDirective)) return std::nullopt;
  Lexeme directive;
  directive.kind = Lexeme::Kind::kDirective;
  directive.offset = text_.origin(begin + kDirective.size());
  directive.text = line.substr(kDirective.size());
  return directive;
}

std::string_view Lexer::operator_here() const {
  for (const auto op : kOperators)
    if (starts(op)) return op;
  return {};
}

Lexeme Lexer::next() {
  for (;;) {
    skip_blanks();
    if (done()) return {};
    if (peek() != '#') break;
    if (auto directive = comment()) return std::move(*directive);
  }
  if (peek() == '\n') {
    Lexeme newline;
    newline.kind = Lexeme::Kind::kNewline;
    newline.offset = offset();
    ++at_;
    read_heredoc_bodies();
    return newline;
  }
  const bool process_substitution = starts("<(") || starts(">(");
  if (script_)
    if (auto arithmetic = arithmetic_command()) return std::move(*arithmetic);
  if (script_ && !process_substitution)
    if (const auto op = operator_here(); !op.empty()) return operator_or_heredoc(op);
  return word();
}

Lexeme Lexer::operator_or_heredoc(std::string_view op) {
  Lexeme lexeme;
  lexeme.kind = Lexeme::Kind::kOperator;
  lexeme.offset = offset();
  lexeme.text = op;
  at_ += op.size();
  if (op == "<<<") return here_string();
  if (op == "<<" || op == "<<-") return heredoc(op == "<<-");
  return lexeme;
}

Lexeme Lexer::here_string() {
  skip_blanks();
  Lexeme lexeme = word();
  if (lexeme.kind != Lexeme::Kind::kWord) return lexeme;
  Heredoc here;
  here.word = std::move(lexeme.word);
  lexeme.kind = Lexeme::Kind::kHeredoc;
  lexeme.heredoc = heredocs_.size();
  heredocs_.push_back(std::move(here));
  return lexeme;
}

Lexeme Lexer::heredoc(bool strip_tabs) {
  skip_blanks();
  const std::size_t begin = at_;
  Lexeme lexeme = word();
  if (lexeme.kind != Lexeme::Kind::kWord) return fail(begin, "a heredoc without its end word");
  Heredoc here;
  here.delimiter = lexeme.word.text();
  here.verbatim = lexeme.word.quoted;
  here.strip_tabs = strip_tabs;
  lexeme.kind = Lexeme::Kind::kHeredoc;
  lexeme.heredoc = heredocs_.size();
  pending_.push_back(heredocs_.size());
  heredocs_.push_back(std::move(here));
  return lexeme;
}

void Lexer::read_heredoc_bodies() {
  for (const std::size_t index : pending_) read_heredoc_body(heredocs_[index]);
  pending_.clear();
}

void Lexer::read_heredoc_body(Heredoc& heredoc) {
  while (!done()) {
    std::size_t begin = at_;
    const std::size_t end = std::min(view_.find('\n', at_), view_.size());
    at_ = std::min(end + 1, view_.size());
    while (heredoc.strip_tabs && begin < end && view_[begin] == '\t') ++begin;
    std::string_view line = view_.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line == heredoc.delimiter) return;
    heredoc.body.append(text_, begin, at_ - begin);
  }
}

/// `(( … ))`. A `((` without its `))` opens two subshells.
std::optional<Lexeme> Lexer::arithmetic_command() {
  if (!arithmetic_ends_ || !starts("((")) return std::nullopt;
  const std::size_t end = balanced_end(view_, at_);
  arithmetic_ends_ = end != std::string_view::npos;
  if (!arithmetic_ends_ || view_[end - 2] != ')') return std::nullopt;
  Lexeme lexeme;
  lexeme.kind = Lexeme::Kind::kArithmetic;
  lexeme.offset = offset();
  lexeme.text = view_.substr(at_ + 2, end - at_ - 4);
  at_ = end;
  return lexeme;
}

}  // namespace spillway::config::shell
