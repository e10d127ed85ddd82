#pragma once

#include <string_view>
#include <vector>

#include "tools/tool.hpp"

/// Every tool there is: one file a tool in tools/catalog/, each an adapter between the tool contract and the pure logic.
namespace spillway {
namespace catalog {

/// Every member of tools/catalog/, in the order of the file names.
/// Cost: microseconds; no schema is built.
std::vector<AnyTool> all();

/// The tool with that name or that command, or nullptr.
const AnyTool* find(const std::vector<AnyTool>& tools, std::string_view name);

}  // namespace catalog
}  // namespace spillway
