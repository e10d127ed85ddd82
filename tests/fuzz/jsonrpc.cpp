// Whatever bytes arrive, a session answers with messages or with nothing, and stays alive.
#include <cstdint>
#include <cstdlib>

#include "server/jsonrpc/message.hpp"
#include "server/mcp/dispatcher.hpp"
#include "server/transport/in_memory.hpp"
#include "tools/json.hpp"

namespace {

/// Ends the process: the fuzzer takes it for a find.
void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway;
  static const mcp::Server server(mcp::Options{.version = "0"}, {});
  transport::InMemory connection;
  mcp::Session session(server, connection);
  session.agree_on("2025-11-25");
  mcp::dispatch(session, {std::string(reinterpret_cast<const char*>(data), size), false});
  while (const auto answer = connection.receive(std::chrono::milliseconds(0))) {
    require(answer->find('\n') == std::string::npos);
    require(parse_json(*answer).ok());
    require(answer->find("\"id\":null") == std::string::npos || answer->find("\"data\"") != std::string::npos);
  }
  return 0;
}
