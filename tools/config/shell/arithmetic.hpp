#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace spillway::config::shell {

/// The value of `$(( text ))`: integers, variables, + - * / % **, comparisons, && || !, ? :, parentheses.
/// Nothing when a variable has no number, on overflow or division by zero, and for assignments.
std::optional<std::int64_t> evaluate_arithmetic(std::string_view text,
                                                const std::function<std::optional<std::int64_t>(std::string_view name)>& variable);

}  // namespace spillway::config::shell
