#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/config/shell/lexer.hpp"

namespace spillway::config::shell {

/// `NAME=word`, `NAME+=word`, `NAME[index]=word`, `NAME=(words)`.
struct Assignment {
  std::string name;
  std::string index;  ///< As written; empty when there is none.
  bool append = false;
  bool array = false;
  std::vector<Word> words;  ///< One when it is no array.
};

struct Command;
using Commands = std::vector<Command>;

/// One arm of an `if` or a `case`.
struct Branch {
  Commands condition;          ///< Of an `if`; empty for `else`.
  std::vector<Word> patterns;  ///< Of a `case`.
  enum class Next { kNone, kBody, kTest };
  Next next = Next::kNone;  ///< Of a `case`: what `;&` and `;;&` go on with.
  Commands body;
};

struct Command {
  enum class Kind { kSimple, kGroup, kIf, kFor, kWhile, kCase, kFunction, kArithmetic };
  enum class Link { kAlways, kAnd, kOr, kPipe };  ///< What stands between the command before and this one.
  Kind kind = Kind::kSimple;
  Link link = Link::kAlways;
  bool negated = false;     ///< `! command`, `until`.
  bool background = false;  ///< Of the first command of a chain that ends in `&`.
  bool select = false;      ///< Of a kFor: `select`.
  bool subshell = false;    ///< Of a group: in parentheses, so that assignments do not last.
  std::size_t offset = 0;
  std::vector<Assignment> assignments;  ///< Before the command's name, and arrays after `declare`.
  std::vector<Word> words;              ///< kSimple; kFor: what it runs over; kCase: what it looks at.
  std::string name;                     ///< kFor: the variable; kFunction.
  std::string arithmetic;               ///< kArithmetic, and kFor with `((…))`.
  std::vector<Branch> branches;
  Commands condition;  ///< kWhile
  Commands body;
  std::optional<std::size_t> heredoc;  ///< Index into Script::heredocs.
};

struct Script {
  Commands commands;
  std::vector<Heredoc> heredocs;
  struct Directive {
    std::size_t offset;
    std::string text;
  };
  std::vector<Directive> directives;  ///< What stands behind `#SBATCH`.
  std::optional<Lexer::Problem> problem;
};

/// Cuts a script into its commands. Where bash would refuse a keyword that is out of place, it is passed over; quotes, brackets and
/// blocks that are not closed are a problem. Blocks nested more than 40 deep are a problem too.
Script parse_script(const Text& text);

/// The word taken apart when it is an assignment.
std::optional<Assignment> as_assignment(const Word& word);

}  // namespace spillway::config::shell
