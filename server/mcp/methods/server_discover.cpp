#include "server/mcp/era.hpp"
#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {
namespace {

/// Clients of the stateless revision open with this. It is not spoken yet, so the answer names what is: they go on with `initialize`.
Answer handle(Session&, const jsonrpc::Message& message) { return unsupported_version(stated_version(message).value_or("2026-07-28")); }

}  // namespace

Method server_discover() { return {.name = "server/discover", .before_initialize = true, .handle = &handle}; }

}  // namespace spillway::mcp::methods
