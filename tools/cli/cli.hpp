#pragma once

#include <string>
#include <vector>

#include "tools/catalog.hpp"
#include "tools/cli/command.hpp"

namespace spillway::cli {

/// Runs one command line, without the program's name: a tool of the catalog by its command, one of the commands given, or one of
/// `help`, `version`, `completion`.
/// Shape: with `--format json` the output is one object and a newline, the same bytes as the structured content over MCP.
/// Errors: status kNotAsked; everything that is wrong goes to `err`, and to `out` the same as an object (data_of) where JSON was asked for.
Outcome run(const std::vector<std::string>& args, const std::vector<AnyTool>& tools, const std::vector<Command>& commands,
            const Surroundings& surroundings);

}  // namespace spillway::cli
