#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tools/config/value.hpp"

namespace spillway {

/// What a JSON text may grow to before it is refused.
struct JsonLimits {
  std::size_t depth = 64;
  std::size_t values = 1'000'000;
};

/// The value a JSON text denotes. Integers beyond 64 bits become floating-point numbers; members keep their order, and of
/// two with one name the last stands.
/// Errors: `bad-json` with the place, `too-deep`, `too-many-values`.
Result<config::Value> parse_json(std::string_view text, const JsonLimits& limits = {});

/// The value as JSON: one line without blanks, or indented. Bytes that are no UTF-8 become U+FFFD; numbers that JSON does
/// not have become null; what a terminal would obey or hide (see visible()) is escaped.
std::string to_json(const config::Value& value, bool indented = false);

}  // namespace spillway
