#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace spillway {

/// The words of a text as a POSIX shell splits them: blanks separate, quotes and backslashes protect; nothing is expanded.
/// Errors: `bad-quoting` when a quote is not closed.
Result<std::vector<std::string>> split_words(std::string_view text);

/// A word quoted, where it needs to be, so that a shell reads it back unchanged.
std::string quote_word(std::string_view word);
std::string quote_words(const std::vector<std::string>& words);

}  // namespace spillway
