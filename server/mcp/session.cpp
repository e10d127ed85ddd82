#include "server/mcp/session.hpp"

namespace spillway::mcp {

Session::Session(const Server& server, transport::Connection& connection)
    : server_(server),
      connection_(connection),
      calls_(server.options().workers, server.options().max_in_flight,
             [&connection](const std::string& message) { connection.write(message); }) {}

}  // namespace spillway::mcp
