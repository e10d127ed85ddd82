#pragma once

#include <string>
#include <vector>

#include "base/style.hpp"
#include "tools/catalog.hpp"
#include "tools/cli/command.hpp"

namespace spillway::cli {

/// What `spillway` alone says: what it is for, and three examples.
std::string short_help(const Style& style);
/// Every command, one line each.
std::string full_help(const std::vector<AnyTool>& tools, const std::vector<Command>& commands, const Style& style);
/// A tool's page: usage, description, options, an example.
std::string tool_help(const AnyTool& tool, const Style& style);
std::string command_help(const Command& command, const Style& style);

/// The tool's example as one would type it.
std::string example_line(const AnyTool& tool);

}  // namespace spillway::cli
