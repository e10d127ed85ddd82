#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/config/reader.hpp"

namespace spillway::config {

/// Candidates for Reader::edit in texts of command-line words: option lists, override words, and the scripts that hold either. Options keep
/// their place in arrays, quoted strings and continued lines; a value given by a variable becomes a literal word; environment
/// variables change in their assignment.
std::vector<std::string> edit_words(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context);

}  // namespace spillway::config
