#include "tools/catalog.hpp"

#include <algorithm>

namespace spillway::catalog {

const AnyTool* find(const std::vector<AnyTool>& tools, std::string_view name) {
  const auto found = std::find_if(tools.begin(), tools.end(),
                                  [&](const AnyTool& tool) { return tool.info().name == name || tool.info().command == name; });
  return found == tools.end() ? nullptr : &*found;
}

}  // namespace spillway::catalog
