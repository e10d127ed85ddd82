#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tools/config/shell/syntax.hpp"

namespace spillway::config::shell {

/// The parser behind parse_script: one lexeme of lookahead, one method a construct.
class Parser {
 public:
  /// Lifetime: `text` must outlive the parser.
  explicit Parser(const Text& text) : lexer_(text, Lexer::Mode::kScript) { advance(); }
  Script parse();

 private:
  void advance();
  void fail(std::size_t offset, std::string what);
  std::string_view bare() const { return here_.kind == Lexeme::Kind::kWord ? here_.word.bare().value_or("") : std::string_view{}; }
  bool is_operator(std::string_view op) const { return here_.kind == Lexeme::Kind::kOperator && here_.text == op; }
  bool closes() const;
  void skip_separators();
  void skip_newlines();
  /// Commands up to something that closes the block around them.
  void list(Commands& out);
  Command::Link connector();
  Command command();
  Command compound();
  Command begin(Command::Kind kind);
  /// Takes the word that must stand here; the blocks of a script must be closed.
  void expect(std::string_view word, const Command& command, const char* what);
  Command if_command();
  Command for_command();
  void in_words(Command& out);
  Command while_command();
  Command body_of(Command out);
  Command case_command();
  void case_branch(Command& out);
  Command group(std::string_view closer);
  Command function_keyword();
  Command function_body(Command out);
  /// `[[ … ]]`: operators are words there.
  Command double_bracket();
  Command arithmetic();
  /// Redirections behind a block.
  Command redirected(Command out);
  bool redirection(Command& out);
  Command simple();
  void simple_part(Command& out);
  /// `name()`.
  bool function_definition(Command& out);

  Lexer lexer_;
  Lexeme here_;
  Script script_;
  int depth_ = 0;
};

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace spillway::config::shell
