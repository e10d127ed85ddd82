#pragma once

#include "tools/config/shell/expand.hpp"

namespace spillway::config::shell {

/// What an expansion gives: the values, kept apart where quotes do not join them (`"$@"`, `"${A[@]}"`).
struct Expansion {
  std::vector<Field> values;
  bool apart = false;
};

/// `$NAME`, `${NAME…}`, `$1`, `$@` and their like. An operand is expanded in turn, at most `kMaxNesting` deep.
/// With `unset_is_empty`, a variable that the script never sets is empty instead of open.
Expansion expand_parameter(const Piece& piece, Environment& environment, bool unset_is_empty, int depth);

/// A word's value, for operands.
Field expand_operand(const Text& text, Environment& environment, int depth);

inline constexpr int kMaxNesting = 24;

Field open_field(const Piece& piece, std::string reason);

}  // namespace spillway::config::shell
