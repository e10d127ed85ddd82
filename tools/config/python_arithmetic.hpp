#pragma once

#include <optional>
#include <string_view>

#include "tools/config/value.hpp"

namespace spillway::config {

/// What Python's operator makes of two numbers, or of two texts joined by `+`. Nothing when it raises, overflows 64 bits, or is none of
/// `+ - * / // % ** << >>`.
std::optional<Value> python_binary(std::string_view op, const Value& left, const Value& right);
/// `-`, `+`, `not`.
std::optional<Value> python_unary(std::string_view op, const Value& operand);
/// A numeric literal: `1_000`, `0x1F`, `1e-5`. Nothing for a complex number or none at all.
std::optional<Value> python_number(std::string_view text);

}  // namespace spillway::config
