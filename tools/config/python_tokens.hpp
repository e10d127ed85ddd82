#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/config/tree.hpp"

namespace spillway::config {

/// One token of a Python text.
struct PythonToken {
  enum class Kind { kName, kNumber, kString, kOperator };
  Kind kind = Kind::kOperator;
  std::string text;  ///< Of a string: what it holds, escapes resolved.
  Place place;
  std::size_t begin = 0;  ///< Bytes of the source: what was written.
  std::size_t end = 0;
  bool formatted = false;  ///< An f-string with fields.
  bool is(std::string_view op) const { return kind == Kind::kOperator && text == op; }
  bool is_name(std::string_view name) const { return kind == Kind::kName && text == name; }
};

/// One statement line: continued lines are joined, `;` divides.
struct PythonLine {
  int indent = 0;  ///< Columns; a tab goes to the next multiple of eight.
  std::vector<PythonToken> tokens;
};

/// The statement lines of a Python text, comments removed. Tolerant: bytes that begin no token are operators of their own.
/// Throws: SyntaxError for a string or bracket that is never closed, for brackets nested deeper than kMaxDepth, and for more tokens
/// than `limit`.
std::vector<PythonLine> python_lines(std::string_view text, std::size_t limit);

}  // namespace spillway::config
