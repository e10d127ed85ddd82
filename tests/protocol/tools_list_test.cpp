// What agents see of the tools. A change here changes what every client has in its context: look at the difference.
#include "server/commands/identity.hpp"
#include "server/mcp/server.hpp"
#include "tests/support/golden.hpp"
#include "tools/json.hpp"

namespace spillway::mcp {
namespace {

TEST(ToolsList, IsAsCommitted) {
  const Server server(commands::identity(), catalog::all());
  testing::expect_golden("mcp/tools_list.json", to_json(config::Value(server.tool_list()), true) + "\n");
}

TEST(ToolsList, FitsAClientsContext) {
  const Server server(commands::identity(), catalog::all());
  const std::string list = to_json(config::Value(server.tool_list()));
  EXPECT_LE(server.tools().size(), 20u);
  EXPECT_LT(list.size(), 6144u * server.tools().size() + 4096u) << "about fifteen hundred tokens a tool, half of them what every tool asks";
  EXPECT_LE(server.options().instructions.size(), 2048u) << "clients cut there";
}

}  // namespace
}  // namespace spillway::mcp
