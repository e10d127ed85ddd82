#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {

/// Nothing waits for it: nothing is sent to a client on the server's own account.
Method notifications_initialized() {
  return {.name = "notifications/initialized",
          .kind = Method::Kind::kNotification,
          .handle = [](Session&, const jsonrpc::Message&) -> Answer { return Later{}; }};
}

}  // namespace spillway::mcp::methods
