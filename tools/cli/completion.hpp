#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tools/catalog.hpp"
#include "tools/cli/command.hpp"

namespace spillway::cli {

/// A script that completes commands, options and their values, for `bash`, `zsh` or `fish`.
/// Errors: `unknown-shell`.
Result<std::string> completion(std::string_view shell, const std::vector<AnyTool>& tools, const std::vector<Command>& commands);

}  // namespace spillway::cli
