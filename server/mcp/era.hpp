#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/jsonrpc/message.hpp"

/// The revisions of the protocol that are spoken, and how a message tells which one it belongs to. Everything that differs between
/// revisions is decided here.
namespace spillway::mcp {

/// A revision was asked for that is not spoken.
inline constexpr int kUnsupportedVersion = -32022;

/// Revisions that a session agrees on by `initialize`, newest first.
const std::vector<std::string_view>& negotiated_versions();

/// The revision that answers a wish: the same, or the newest that is spoken.
std::string_view negotiate(std::string_view wanted);

/// The revision that a message states for itself (since 2026-07-28 each request carries it); nothing for one that relies on a session.
/// Errors: an empty text when the statement is there but is no text.
std::optional<std::string> stated_version(const jsonrpc::Message& message);

/// What answers a revision that is not spoken: names those that are.
jsonrpc::Failure unsupported_version(std::string_view requested);

}  // namespace spillway::mcp
