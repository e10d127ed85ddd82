#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {
namespace {

/// All tools fit one page, so that the only cursor there is is the empty one.
Answer handle(Session& session, const jsonrpc::Message& message) {
  const auto* cursor = message.param("cursor");
  if (cursor != nullptr && *cursor != config::Value("")) return jsonrpc::Failure{jsonrpc::kInvalidParams, "unknown cursor"};
  return config::Map{{"tools", config::Value(session.server().tool_list())}};
}

}  // namespace

Method tools_list() { return {.name = "tools/list", .handle = &handle}; }

}  // namespace spillway::mcp::methods
