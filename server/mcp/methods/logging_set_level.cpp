#include <algorithm>
#include <array>

#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {
namespace {

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

Answer handle(Session&, const jsonrpc::Message& message) {
  const auto* level = message.param("level");
  const bool known =
      level != nullptr && level->string() != nullptr && std::find(kLevels.begin(), kLevels.end(), *level->string()) != kLevels.end();
  if (!known)
    return jsonrpc::Failure{jsonrpc::kInvalidParams,
                            "level must be one of debug, info, notice, warning, error, critical, alert, emergency"};
  return config::Map{};
}

}  // namespace

Method logging_set_level() {
  return {.name = "logging/setLevel", .offered = [](const Server& server) { return server.options().logging; }, .handle = &handle};
}

}  // namespace spillway::mcp::methods
