#include "server/mcp/era.hpp"

#include <algorithm>

#include "base/visible.hpp"

namespace spillway::mcp {
namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

}  // namespace

const std::vector<std::string_view>& negotiated_versions() {
  static const std::vector<std::string_view> versions = {"2025-11-25", "2025-06-18"};
  return versions;
}

std::string_view negotiate(std::string_view wanted) {
  const auto& versions = negotiated_versions();
  const auto found = std::find(versions.begin(), versions.end(), wanted);
  return found == versions.end() ? versions.front() : *found;
}

std::optional<std::string> stated_version(const jsonrpc::Message& message) {
  const auto* meta = message.param("_meta");
  const auto* version = meta == nullptr ? nullptr : meta->find(kVersionKey);
  if (version == nullptr) return std::nullopt;
  return version->string() == nullptr ? "" : *version->string();
}

jsonrpc::Failure unsupported_version(std::string_view requested) {
  const auto& versions = negotiated_versions();
  std::string names;
  for (const auto version : versions) names += (names.empty() ? "" : ", ") + std::string(version);
  return {
      kUnsupportedVersion,
      "protocol version " + clipped(requested, 80) + " is not supported; supported by initialize: " + names,
      {{"supported", config::Value(config::List(versions.begin(), versions.end()))}, {"requested", config::Value(clipped(requested, 80))}}};
}

}  // namespace spillway::mcp
