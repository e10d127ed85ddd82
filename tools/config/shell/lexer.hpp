#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/shell/text.hpp"

namespace spillway::config::shell {

/// A part of a word.
struct Piece {
  enum class Kind {
    kLiteral,     ///< Characters, quotes and escapes removed; they stand side by side in the file.
    kVariable,    ///< `$NAME`, `${…}`, `$1`, `$@`: as written.
    kCommand,     ///< `$(…)`, backticks, `<(…)`: as written.
    kArithmetic,  ///< `$((…))`: as written.
    kKept,        ///< A fragment that a text for another shell was put together from and that is not certain: its number.
  };
  Kind kind = Kind::kLiteral;
  std::string text;
  std::size_t offset = 0;  ///< In the file.
  bool quoted = false;     ///< Not subject to word splitting.
};

struct Word {
  std::vector<Piece> pieces;
  std::size_t offset = 0;  ///< In the file.
  bool quoted = false;     ///< Holds a quote, so that it counts as a word even when it is empty.

  /// The characters when no quote, escape or expansion is involved; nothing otherwise.
  std::optional<std::string_view> bare() const;
  /// The word as it is written, expansions included, quotes removed.
  std::string text() const;
};

/// `NAME=(word …)`.
struct ArrayWord {
  Word name;  ///< With the `=` or `+=`.
  std::vector<Word> words;
};

/// The text below a `<<WORD`, or the word after `<<<`.
struct Heredoc {
  std::string delimiter;
  bool verbatim = false;  ///< The delimiter is quoted: no expansion.
  bool strip_tabs = false;
  Text body;
  std::optional<Word> word;  ///< Of a here-string.
};

struct Lexeme {
  enum class Kind { kWord, kArray, kOperator, kArithmetic, kNewline, kHeredoc, kDirective, kEnd };
  Kind kind = Kind::kEnd;
  std::size_t offset = 0;   ///< In the file.
  Word word;                ///< kWord
  ArrayWord array;          ///< kArray
  std::string text;         ///< kOperator; kArithmetic: what stands between `((` and `))`; kDirective: what stands after `#SBATCH`.
  std::size_t heredoc = 0;  ///< kHeredoc: index into Lexer::heredocs(); the body is there once the line has ended.
};

/// Cuts shell text into lexemes.
class Lexer {
 public:
  enum class Mode {
    kScript,  ///< Operators, arrays, heredocs.
    kWords,   ///< Words alone: only blanks, newlines, quotes and comments matter.
  };
  /// Lifetime: `text` must outlive the lexer.
  Lexer(const Text& text, Mode mode) : text_(text), view_(text.view()), script_(mode == Mode::kScript) {}

  /// The next lexeme; kEnd at the end and after a problem.
  Lexeme next();
  /// The whole text as one word: blanks do not separate.
  Word whole();
  /// The whole text as the body of a heredoc: quotes mean nothing, expansions do.
  Word document();

  const std::vector<Heredoc>& heredocs() const { return heredocs_; }
  std::size_t offset() const { return text_.origin(at_); }

  struct Problem {
    std::size_t offset;
    std::string what;
  };
  const std::optional<Problem>& problem() const { return problem_; }

 private:
  bool done() const { return at_ >= view_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < view_.size() ? view_[at_ + ahead] : '\0'; }
  bool starts(std::string_view text) const { return view_.substr(at_).starts_with(text); }
  Lexeme fail(std::size_t begin, std::string what);
  std::size_t continuation() const;
  void skip_blanks();
  std::optional<Lexeme> comment();
  std::string_view operator_here() const;
  std::optional<Lexeme> arithmetic_command();
  Lexeme operator_or_heredoc(std::string_view op);
  Lexeme heredoc(bool strip_tabs);
  Lexeme here_string();
  void read_heredoc_bodies();
  void read_heredoc_body(Heredoc& heredoc);
  bool ends_word(char c) const;
  bool is_redirect_number(const Word& word) const;
  Lexeme word();
  void word_part(Word& word);
  Lexeme array(Word name);
  void literal(Word& word, std::size_t at, std::size_t length, bool quoted);
  std::size_t plain_length(std::string_view specials) const;
  void take_plain(Word& word, std::string_view specials, bool quoted);
  void single_quoted(Word& word);
  void ansi_quoted(Word& word);
  void double_quoted(Word& word);
  bool expansion(Word& word, bool quoted);
  void expansion_piece(Word& word, Piece::Kind kind, std::size_t end, bool quoted);

  const Text& text_;
  std::string_view view_;
  bool script_;
  bool in_array_ = false;        ///< Arrays do not nest.
  bool arithmetic_ends_ = true;  ///< Turns false when a `((` was never closed, so that no later one is tried.
  std::size_t at_ = 0;
  std::vector<Heredoc> heredocs_;
  std::vector<std::size_t> pending_;  ///< Heredocs whose bodies start after this line.
  std::optional<Problem> problem_;
};

/// What stands in a text for a fragment that is not certain, see script_of().
std::string kept_mark(std::size_t number);

/// A character of a variable's name.
bool is_name_char(char c);
/// `NAME` followed by `=` or `+=` at the start of the text: the length of the name, or 0.
std::size_t assignment_name(std::string_view text);

}  // namespace spillway::config::shell
