#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "server/jsonrpc/message.hpp"
#include "server/mcp/session.hpp"

namespace spillway::mcp {

/// The answer comes later, or never: somebody else sends it.
struct Later {};

/// What a method answers: a result, a failure, or nothing yet.
using Answer = std::variant<config::Map, jsonrpc::Failure, Later>;

/// One method of the protocol. Its file is the name in snake_case, `tools/list` → `tools_list.cpp`.
struct Method {
  std::string_view name;
  enum class Kind { kRequest, kNotification } kind = Kind::kRequest;
  bool before_initialize = false;            ///< May come before a session is agreed on.
  bool (*offered)(const Server&) = nullptr;  ///< Null: always.
  Answer (*handle)(Session& session, const jsonrpc::Message& message) = nullptr;
};

namespace methods {
/// Every member of server/mcp/methods/, in the order of the file names.
std::vector<Method> all();
}  // namespace methods

}  // namespace spillway::mcp
