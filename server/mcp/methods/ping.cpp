#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {

Method ping() {
  return {.name = "ping", .before_initialize = true, .handle = [](Session&, const jsonrpc::Message&) -> Answer { return config::Map{}; }};
}

}  // namespace spillway::mcp::methods
