#include "server/mcp/era.hpp"
#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {
namespace {

using config::Map;
using config::Value;

Map capabilities(const Options& options) {
  Map out = {{"tools", Value(Map{{"listChanged", Value(false)}})}};
  if (options.logging) out.emplace_back("logging", Value(Map{}));
  return out;
}

Map identity(const Options& options) {
  return {{"name", Value(options.name)}, {"title", Value(options.title)}, {"version", Value(options.version)}};
}

/// A second initialize starts over: proxies keep one process for several clients.
Answer handle(Session& session, const jsonrpc::Message& message) {
  const Value* wanted = message.param("protocolVersion");
  if (wanted == nullptr || wanted->string() == nullptr) return jsonrpc::Failure{jsonrpc::kInvalidParams, "protocolVersion must be a text"};
  session.agree_on(negotiate(*wanted->string()));
  const Options& options = session.server().options();
  Map result = {{"protocolVersion", Value(session.version())},
                {"capabilities", Value(capabilities(options))},
                {"serverInfo", Value(identity(options))}};
  if (!options.instructions.empty()) result.emplace_back("instructions", Value(options.instructions));
  return result;
}

}  // namespace

Method initialize() { return {.name = "initialize", .before_initialize = true, .handle = &handle}; }

}  // namespace spillway::mcp::methods
