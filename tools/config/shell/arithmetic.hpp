#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::config::shell {

/// What an expression does to a variable: nothing means that its number is not known.
using Store = std::function<void(std::string_view name, std::int64_t value)>;
using Recall = std::function<std::optional<std::int64_t>(std::string_view name)>;

/// The value of `$(( text ))`: integers in any base, variables, bash's operators with its precedence, assignments where `store` is
/// given. Nothing when a variable has no number, on overflow or division by zero; assignments may have been made by then, see
/// assigned_in().
std::optional<std::int64_t> evaluate_arithmetic(std::string_view text, const Recall& recall, const Store& store = {});

/// The variables that an arithmetic expression may change, as far as their names stand in it.
std::vector<std::string> assigned_in(std::string_view text);

}  // namespace spillway::config::shell
