#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/config/reader.hpp"

namespace spillway::config {

/// Candidates for Reader::edit in Python: the value of an assignment `cfg.model.x = v` or of a keyword `x=v`, else a new line or
/// keyword beside one of the same section.
std::vector<std::string> edit_python(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context);

}  // namespace spillway::config
