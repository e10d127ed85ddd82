#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/config/shell/lexer.hpp"
#include "tools/config/shell/variables.hpp"

namespace spillway::config::shell {

/// What expansions read: the variables, the arguments of the function that runs, and how much may still be copied.
struct Environment {
  Variables variables;
  std::vector<Field> arguments;
  bool in_function = false;
  int nesting = 0;                ///< Texts inside texts that are being expanded.
  std::size_t budget = 1u << 20;  ///< Fragments that may still be made. At 0 nothing expands any more.

  /// Takes from the budget; false when it does not suffice.
  bool spend(std::size_t amount);
};

/// The words that a word becomes: expansions done, split at blanks outside of quotes. What cannot be resolved stays as an open fragment.
std::vector<Field> expand_words(const Word& word, Environment& environment);
/// The word as one value: no splitting.
Field expand_text(const Word& word, Environment& environment);
/// The word as a test sees it: a variable that the script never sets is empty.
Field expand_for_test(const Word& word, Environment& environment);
/// The body of a heredoc.
Field expand_document(const Heredoc& heredoc, Environment& environment);

/// An integer that a certain value spells.
std::optional<std::int64_t> integer_of(const Field& field);
/// The number of `(( text ))`.
std::optional<std::int64_t> arithmetic_of(std::string_view text, Environment& environment);

/// The largest value of a variable.
inline constexpr std::size_t kMaxValueBytes = 1u << 20;
inline constexpr std::size_t kMaxValueFragments = 1u << 14;

}  // namespace spillway::config::shell
