#pragma once

#include <vector>

#include "tools/catalog.hpp"
#include "tools/cli/command.hpp"

namespace spillway::commands {

/// `spillway mcp`: serves the tools over standard input and output until the input ends or the process is asked to.
cli::Command mcp(const std::vector<AnyTool>& tools);

}  // namespace spillway::commands
