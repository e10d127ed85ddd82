#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/config/shell/lexer.hpp"
#include "tools/config/shell/variables.hpp"

namespace spillway::config::shell {

/// Something that the script leaves to its surroundings and that is taken for granted.
struct Assumption {
  std::string subject;  ///< As written: `$@`, a variable's name, `source FILE`.
  std::string taken;    ///< As what it is taken.
  std::size_t offset = 0;
};

/// Which assumptions something rests on: indices, sorted.
using Grounds = std::vector<std::size_t>;
void add(Grounds& to, const Grounds& from);

/// What expansions read: the variables, the arguments of the function that runs, and how much may still be copied.
struct Environment {
  Variables variables;
  std::vector<Field> arguments;
  bool arguments_known = false;   ///< Those of a function, or after `set --`.
  bool arguments_differ = false;  ///< They depend on a condition: nothing may be taken for granted about them.
  int nesting = 0;                ///< Texts inside texts that are being expanded.
  std::size_t budget = 1u << 22;  ///< Fragments that may still be made. At 0 nothing expands any more.
  std::vector<Fragment> kept;     ///< What kept_mark() stands for.

  std::vector<Assumption> assumptions;
  Grounds touched;              ///< What the expansions since it was cleared rest on.
  TextMap<Grounds> grounds_of;  ///< What the values of variables rest on.

  /// Takes from the budget; false when it does not suffice.
  bool spend(std::size_t amount);
  /// Notes that the present expansion rests on this; only the first word about a subject counts.
  void assume(const std::string& subject, const std::string& taken, std::size_t offset);
  /// The script runs without arguments, as far as it does not say itself what they are.
  void assume_no_arguments(std::size_t offset);
  /// What a variable's value rests on, the variable it refers to included.
  void touch(std::string_view name);
};

/// The words that a word becomes: expansions done, split at blanks outside of quotes. What cannot be resolved stays as an open fragment.
std::vector<Field> expand_words(const Word& word, Environment& environment);
/// The word as one value: no splitting.
Field expand_text(const Word& word, Environment& environment);
/// The word as a test sees it: a variable that the script never sets is empty.
Field expand_for_test(const Word& word, Environment& environment);
/// The body of a heredoc.
Field expand_document(const Heredoc& heredoc, Environment& environment);

/// The characters of a field with their places, as a text for another shell. What is not certain stays so when the text is expanded.
Text script_of(const Field& field, Environment& environment);

/// A variable that bash or the system sets, so that nobody may take it as unset.
bool is_set_by_system(std::string_view name);

/// An integer that a certain value spells.
std::optional<std::int64_t> integer_of(const Field& field);
/// The number of `(( text ))`. Assigns what it assigns; where that is not known, the variables become unknown.
std::optional<std::int64_t> arithmetic_of(std::string_view text, Environment& environment);

/// The largest value of a variable.
inline constexpr std::size_t kMaxValueBytes = 1u << 20;
inline constexpr std::size_t kMaxValueFragments = 1u << 14;

}  // namespace spillway::config::shell
