#pragma once

#include <string>
#include <string_view>

#include "server/mcp/calls.hpp"
#include "server/mcp/server.hpp"
#include "server/transport/connection.hpp"

namespace spillway::mcp {

/// What one client has agreed on, and its open requests.
/// Threads: belongs to the thread that reads the connection; only the work inside `calls` runs on others.
class Session {
 public:
  Session(const Server& server, transport::Connection& connection);

  const Server& server() const { return server_; }
  Calls& calls() { return calls_; }
  void send(const std::string& message) { connection_.write(message); }

  bool initialized() const { return !version_.empty(); }
  /// The agreed revision; empty before `initialize`.
  std::string_view version() const { return version_; }
  void agree_on(std::string_view version) { version_ = version; }

 private:
  const Server& server_;
  transport::Connection& connection_;
  std::string version_;
  Calls calls_;
};

}  // namespace spillway::mcp
