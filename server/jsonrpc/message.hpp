#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tools/config/value.hpp"

/// JSON-RPC 2.0 as MCP uses it: single messages, ids that are texts or whole numbers, named parameters.
namespace spillway::jsonrpc {

using config::Value;

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

/// Why there is no result.
struct Failure {
  int code = kInternalError;
  std::string message;
  config::Map data = {};  ///< Absent when empty.
};

/// A message that a peer sent.
struct Message {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kRequest;
  Value id;            ///< Text or whole number; null for a notification.
  std::string method;  ///< Empty for a response.
  config::Map params;
  /// A member of the parameters, or nullptr.
  const Value* param(std::string_view name) const;
};

/// A text that is no message, and what to answer; the id as far as it could be read.
struct Malformed {
  Failure failure;
  Value id;
};

/// A text that asks for no answer although it is no message: a broken response.
struct Ignored {};

/// Errors: `Malformed` for a text that is no JSON (kParseError), nested too deep or too large, an array (batches), or no message.
std::variant<Message, Malformed, Ignored> parse(std::string_view text);

/// Messages as text: one line each. An id that is null is left out: no revision of MCP allows `"id": null`.
std::string result_text(const Value& id, Value result);
std::string failure_text(const Value& id, const Failure& failure);
std::string notification_text(std::string_view method, config::Map params);

}  // namespace spillway::jsonrpc
