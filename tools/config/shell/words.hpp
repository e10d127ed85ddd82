#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tools/config/arguments.hpp"

namespace spillway::config::shell {

/// The words of a text as a shell would cut them: blanks and line ends separate, quotes and backslashes are removed, a `#` at the start of
/// a word comments out the rest of the line. A word with an expansion that the text does not resolve is unknown. Errors: `bad-syntax` for a
/// quote or bracket that is not closed; `too-many-values` above `limit` words.
Result<std::vector<Token>> split_words(std::string_view text, std::size_t limit);

/// A word as a shell reads it back: in quotes where it must be.
std::string quoted_word(std::string_view word);

}  // namespace spillway::config::shell
