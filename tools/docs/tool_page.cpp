#include "tools/cli/command.hpp"
#include "tools/cli/help.hpp"
#include "tools/docs/markdown.hpp"
#include "tools/docs/pages.hpp"
#include "tools/schema.hpp"

namespace spillway::docs {
namespace {

std::string formats(const AnyTool& tool) {
  std::string out = "`text`, `json`";
  for (const auto format : tool.formats()) out += ", `" + std::string(format) + "`";
  return out;
}

}  // namespace

std::string tool_page(const AnyTool& tool) {
  const ToolInfo& info = tool.info();
  const auto call = tool.ask();
  return std::string(kMark) + "\n\n# " + std::string(info.title) + "\n\nTool `" + std::string(info.name) +
         "`, on the command line `spillway " + std::string(info.command) + "`.\n\n" + prose(info.description) + "\n" +
         section("Arguments", input_table(call->input())) + "\nOn the command line also `--format` (" + formats(tool) +
         "). Without a flag: over MCP only; without an argument: on the command line only.\n" +
         section("Example", block(cli::example_line(tool), "bash"));
}

std::string tools_page(const std::vector<AnyTool>& tools) {
  std::string list = "| tool | command | what |\n|---|---|---|\n", statuses = "| status | meaning |\n|---|---|\n";
  for (const auto& tool : tools)
    list += "| `" + std::string(tool.info().name) + "` | `spillway " + std::string(tool.info().command) + "` | " + cell(tool.info().title) +
            " |\n";
  for (const auto& [status, meaning] : cli::kExitStatuses) statuses += "| " + std::to_string(status) + " | " + cell(meaning) + " |\n";
  return std::string(kMark) +
         "\n\n# Tools\n\nThe same questions over MCP and on the command line. The arguments of each are in `tools/COMMAND.md`.\n\n" + list +
         section("Exit statuses", statuses);
}

}  // namespace spillway::docs
