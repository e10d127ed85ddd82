#pragma once

#include <optional>
#include <string_view>

#include "tools/config/value.hpp"

namespace spillway::config {

/// What Python's `int(text)` gives: blanks around, a sign, leading zeros and single underscores are allowed. A number beyond
/// 64 bits comes as a real.
std::optional<Value> python_int(std::string_view text);

/// What Python's `float(text)` gives: also `inf`, `infinity` and `nan` in any case.
std::optional<double> python_float(std::string_view text);

/// A layer pattern such as `([0]*2+[1]*6)` or `[1, 0, 1]`: lists of integers, repeated and joined.
/// Cost: at most 100 000 elements; a longer pattern is no answer.
std::optional<List> python_int_list(std::string_view text);

}  // namespace spillway::config
