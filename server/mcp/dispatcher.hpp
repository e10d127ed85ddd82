#pragma once

#include "server/mcp/session.hpp"
#include "server/transport/connection.hpp"

namespace spillway::mcp {

/// Takes one message: answers it, starts work that will answer it, or does what it tells. A bug in a method becomes an internal error.
void dispatch(Session& session, const transport::Incoming& incoming);

/// Reads and dispatches until the peer closes or the connection is interrupted, then lets open calls finish for a while.
/// Returns: false when work was left behind that does not stop; the process must then end without unwinding.
bool serve(const Server& server, transport::Connection& connection);

}  // namespace spillway::mcp
