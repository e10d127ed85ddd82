#include "server/jsonrpc/message.hpp"

#include "tools/json.hpp"

namespace spillway::jsonrpc {
namespace {

using config::Map;

bool is_id(const Value& value) { return value.string() != nullptr || value.integer() != nullptr; }

Malformed malformed(int code, std::string message, Value id = {}) { return {{code, std::move(message), {}}, std::move(id)}; }

Malformed unreadable(const Error& error) { return malformed(error.code == "bad-json" ? kParseError : kInvalidRequest, error.message); }

/// The name of the first thing that is wrong with a request or notification, or nothing.
std::optional<std::string> fault(const Value& object) {
  const Value* version = object.find("jsonrpc");
  if (version == nullptr || *version != Value("2.0")) return "jsonrpc must be \"2.0\"";
  const Value* id = object.find("id");
  if (id != nullptr && !is_id(*id)) return "id must be a text or a whole number";
  const Value* method = object.find("method");
  if (method == nullptr) return "method is missing";
  if (method->string() == nullptr) return "method must be a text";
  return std::nullopt;
}

Value* member(Map& object, std::string_view name) {
  for (auto& [key, value] : object)
    if (key == name) return &value;
  return nullptr;
}

Message response(const Value& object) {
  Message message;
  message.kind = Message::Kind::kResponse;
  message.id = *object.find("id");
  return message;
}

std::string envelope(const Value& id, std::string_view name, Value body) {
  Map message = {{"jsonrpc", Value("2.0")}};
  if (!id.is_null()) message.emplace_back("id", id);
  message.emplace_back(name, std::move(body));
  return to_json(Value(std::move(message)));
}

}  // namespace

const Value* Message::param(std::string_view name) const {
  for (const auto& [key, value] : params)
    if (key == name) return &value;
  return nullptr;
}

std::variant<Message, Malformed, Ignored> parse(std::string_view text) {
  auto read = parse_json(text);
  if (!read) return unreadable(read.error());
  if (read->list() != nullptr) return malformed(kInvalidRequest, "batches are not part of the protocol; send one message at a time");
  if (read->map() == nullptr) return malformed(kInvalidRequest, "a message is a JSON object");
  const Value* id = read->find("id");
  const bool answers = read->find("method") == nullptr && (read->find("result") != nullptr || read->find("error") != nullptr);
  if (answers && (id == nullptr || !is_id(*id))) return Ignored{};
  if (answers) return response(*read);
  if (auto what = fault(*read)) return malformed(kInvalidRequest, std::move(*what), id != nullptr && is_id(*id) ? *id : Value());

  Message message;
  message.kind = id == nullptr ? Message::Kind::kNotification : Message::Kind::kRequest;
  if (id != nullptr) message.id = *id;
  message.method = *read->find("method")->string();
  Value* params = member(*read->map(), "params");
  if (params == nullptr) return message;
  if (params->map() == nullptr) return malformed(kInvalidParams, "params must be an object", message.id);
  message.params = std::move(*params->map());
  return message;
}

std::string result_text(const Value& id, Value result) { return envelope(id, "result", std::move(result)); }

std::string failure_text(const Value& id, const Failure& failure) {
  Map error = {{"code", Value(failure.code)}, {"message", Value(failure.message)}};
  if (!failure.data.empty()) error.emplace_back("data", Value(failure.data));
  return envelope(id, "error", Value(std::move(error)));
}

std::string notification_text(std::string_view method, Map params) {
  return to_json(Value(Map{{"jsonrpc", Value("2.0")}, {"method", Value(method)}, {"params", Value(std::move(params))}}));
}

}  // namespace spillway::jsonrpc
