#pragma once

#include <string>
#include <string_view>

namespace spillway::docs {

/// A sentence in which nothing is taken for markup: angle brackets, asterisks, and underscores outside words.
std::string prose(std::string_view text);
/// As it is, on one line, in a code span that holds any backticks it has.
std::string code(std::string_view text);
/// A code block; what follows the fence is `language`.
std::string block(std::string_view text, std::string_view language);
/// `## title` and the text, or nothing where there is no text.
std::string section(std::string_view title, std::string_view text);
/// The text in a table's cell.
std::string cell(std::string_view text);
/// With a capital and a full stop.
std::string sentence(std::string_view text);

}  // namespace spillway::docs
