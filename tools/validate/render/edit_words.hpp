#pragma once

#include <string>
#include <vector>

#include "tools/validate/validate.hpp"

namespace spillway::validate::render {

/// A fix as one would type it for the launcher the answer is about: override words for Bridge, options for Megatron-LM, `key: value`
/// for a YAML or a dict. What cannot be typed there is said in words: `remove KEY`.
std::vector<std::string> edit_words(const Fix& fix, const Answer& answer);

}  // namespace spillway::validate::render
