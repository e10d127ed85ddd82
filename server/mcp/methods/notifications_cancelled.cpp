#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {
namespace {

Answer handle(Session& session, const jsonrpc::Message& message) {
  if (const auto* id = message.param("requestId")) session.calls().cancel(*id);
  return Later{};
}

}  // namespace

Method notifications_cancelled() { return {.name = "notifications/cancelled", .kind = Method::Kind::kNotification, .handle = &handle}; }

}  // namespace spillway::mcp::methods
