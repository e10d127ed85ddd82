#include "server/mcp/server.hpp"

#include "tools/schema.hpp"

namespace spillway::mcp {
namespace {

using config::Map;
using config::Value;

Map annotations(const ToolInfo& info) {
  return {{"title", Value(info.title)},
          {"readOnlyHint", Value(info.hints.read_only)},
          {"destructiveHint", Value(info.hints.destructive)},
          {"idempotentHint", Value(info.hints.idempotent)},
          {"openWorldHint", Value(info.hints.open_world)}};
}

Value entry(const AnyTool& tool) {
  const auto blank = tool.ask();
  const ToolInfo& info = tool.info();
  return Value(Map{{"name", Value(info.name)},
                   {"title", Value(info.title)},
                   {"description", Value(info.description)},
                   {"inputSchema", input_schema(blank->input())},
                   {"outputSchema", output_schema(blank->output())},
                   {"annotations", Value(annotations(info))}});
}

}  // namespace

const config::List& Server::tool_list() const {
  std::call_once(listed_, [this] {
    for (const auto& tool : tools_) list_.push_back(entry(tool));
  });
  return list_;
}

}  // namespace spillway::mcp
