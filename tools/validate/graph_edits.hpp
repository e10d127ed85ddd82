#pragma once

#include <string_view>
#include <vector>

#include "tools/validate/facts.hpp"
#include "tools/validate/finding.hpp"

namespace spillway::validate {

/// Edits that make the CUDA-graph implementation `impl`, whichever way the run spells it now.
std::vector<Edit> capture_with(const Facts& facts, std::string_view impl);
/// Edits that make the captured modules these, under the key that the run uses.
std::vector<Edit> capture_only(const Facts& facts, config::List modules);

}  // namespace spillway::validate
