#include "server/mcp/dispatcher.hpp"

#include <exception>
#include <memory>

#include "base/text.hpp"
#include "server/jsonrpc/message.hpp"
#include "server/mcp/era.hpp"
#include "server/mcp/method.hpp"

namespace spillway::mcp {
namespace {

using jsonrpc::Failure;
using jsonrpc::Message;

constexpr std::chrono::milliseconds kFinish{5000};  // For open calls after the last message.
constexpr std::chrono::milliseconds kStop{300};     // For calls that were asked to stop.

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = methods::all();
  return methods;
}

const Method* find(std::string_view name, Method::Kind kind, const Server& server) {
  for (const auto& method : all_methods())
    if (method.name == name && method.kind == kind && (method.offered == nullptr || method.offered(server))) return &method;
  return nullptr;
}

/// Why a request is not even looked at, if so.
std::optional<Failure> refusal(const Session& session, const Message& message, const Method* method) {
  if (const auto version = stated_version(message); version && negotiate(*version) != *version) return unsupported_version(*version);
  if (method == nullptr) return Failure{jsonrpc::kMethodNotFound, "unknown method " + valid_utf8(message.method.substr(0, 80))};
  if (!session.initialized() && !method->before_initialize)
    return Failure{jsonrpc::kInvalidRequest, "send initialize before " + message.method};
  return std::nullopt;
}

Answer answer(Session& session, const Message& message) {
  const Method* method = find(message.method, Method::Kind::kRequest, session.server());
  if (auto failure = refusal(session, message, method)) return *failure;
  try {
    return method->handle(session, message);
  } catch (const std::exception& error) {
    session.server().log("internal error in " + message.method + ": " + error.what());
    return Failure{jsonrpc::kInternalError, "internal error in " + message.method};
  }
}

void handle_request(Session& session, const Message& message) {
  const Answer reply = answer(session, message);
  if (const auto* result = std::get_if<config::Map>(&reply)) session.send(jsonrpc::result_text(message.id, config::Value(*result)));
  if (const auto* failure = std::get_if<Failure>(&reply)) session.send(jsonrpc::failure_text(message.id, *failure));
}

/// A notification is never answered, not even when it is wrong.
void handle_notification(Session& session, const Message& message) {
  const Method* method = find(message.method, Method::Kind::kNotification, session.server());
  if (method == nullptr) return;
  try {
    (void)method->handle(session, message);
  } catch (const std::exception& error) {
    session.server().log("internal error in " + message.method + ": " + error.what());
  }
}

Failure too_long() {
  return {jsonrpc::kInvalidRequest, "the message is larger than " + std::to_string(transport::kMaxMessageBytes >> 20) + " MiB", {}};
}

}  // namespace

void dispatch(Session& session, const transport::Incoming& incoming) {
  if (incoming.too_long) return session.send(jsonrpc::failure_text({}, too_long()));
  const auto parsed = jsonrpc::parse(incoming.text);
  if (const auto* malformed = std::get_if<jsonrpc::Malformed>(&parsed))
    return session.send(jsonrpc::failure_text(malformed->id, malformed->failure));
  const auto* message = std::get_if<Message>(&parsed);
  if (message == nullptr) return;
  if (message->kind == Message::Kind::kRequest) handle_request(session, *message);
  if (message->kind == Message::Kind::kNotification) handle_notification(session, *message);
  // A response: nothing was asked of the client, so there is nothing it could answer.
}

bool serve(const Server& server, transport::Connection& connection) {
  Session session(server, connection);
  while (const auto incoming = connection.read()) dispatch(session, *incoming);
  if (session.calls().wait(kFinish, [&] { return connection.interrupted(); })) return true;
  session.calls().cancel_all();
  return session.calls().wait(kStop);
}

}  // namespace spillway::mcp
