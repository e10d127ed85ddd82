#pragma once

#include <string_view>

#include "tools/config/value.hpp"

namespace spillway::config::tables {

/// The value that a table writes: JSON with `Infinity`. An integer is a number without `.` and `e`.
/// Errors: none; the tables are our own, and what is not a literal gives null.
Value literal(std::string_view text);

}  // namespace spillway::config::tables
