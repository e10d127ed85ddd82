#include "tools/config/shell/words.hpp"

#include "tools/config/shell/lexer.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";

Token token(const Word& word, const Lines& lines) {
  Token out{word.text(), lines.origin(word.offset), std::nullopt};
  for (const auto& piece : word.pieces)
    if (piece.kind != Piece::Kind::kLiteral && !out.unknown) out.unknown = Unknown{piece.text, piece.text + " is not set in this text"};
  return out;
}

}  // namespace

Result<std::vector<Token>> split_words(std::string_view text, std::size_t limit) {
  const Text file{std::string(text)};
  const Lines lines(text);
  Lexer lexer(file, Lexer::Mode::kWords);
  std::vector<Token> out;
  for (Lexeme lexeme = lexer.next(); lexeme.kind == Lexeme::Kind::kWord; lexeme = lexer.next()) {
    if (out.size() >= limit) return Error{"too-many-values", "more than " + std::to_string(limit) + " words", "give the arguments alone"};
    out.push_back(token(lexeme.word, lines));
  }
  if (const auto& problem = lexer.problem()) return syntax_error(lines, problem->offset, problem->what);
  return out;
}

std::string quoted_word(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace spillway::config::shell
