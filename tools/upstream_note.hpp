#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/tool.hpp"
#include "tools/validate/validate.hpp"

namespace spillway {

/// Adds to the assumptions which of the rules that were asked have checks that stand in none of these trees, findings first: a fork may
/// have dropped or reworded them. Errors: those of drift_of, of all trees; `files-not-allowed` where the caller may not name files.
std::optional<Error> note_upstream(const std::vector<std::string>& trees, const ToolContext& context, validate::Answer& answer);

}  // namespace spillway
