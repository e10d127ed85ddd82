#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::validate::upstream {

/// What stands for a value that a text fills in.
inline constexpr char kHole = '\x01';

/// The texts and the code of a Python file, free of how they are laid out.
struct PythonSource {
  /// A string as the program sees it: adjacent literals and those joined by `+` are one, escapes are read, each placeholder of an
  /// f-string is a hole.
  struct String {
    std::string text;
    int line = 0;  ///< Where its first literal begins.
  };
  std::vector<String> strings;
  std::string code;                ///< Without blanks and comments, every quote a double one.
  std::vector<std::size_t> lines;  ///< Where in `code` each line but the first begins.

  /// The line, from 1, of a place in `code`.
  int line_at(std::size_t offset) const;
};

/// Reads any bytes: what is no Python gives some strings or none.
/// Cost: linear, without recursion.
PythonSource read_python(std::string_view text);

/// Code as PythonSource has it.
std::string squeezed(std::string_view code);

/// A text to compare: runs of blanks are one, and what a program fills in (`{}`, `{name}`, `%s`) is one hole.
std::string wording(std::string_view text);

}  // namespace spillway::validate::upstream
