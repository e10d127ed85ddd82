#pragma once

#include <string_view>
#include <vector>

#include "tools/config/shell/expand.hpp"

namespace spillway::config::shell {

/// How a command ended. kAssumed: nothing speaks against success, as of `cd` or `mkdir`.
enum class Status { kTrue, kFalse, kUnknown, kAssumed };

Status negation(Status status);

/// The answer of `[ … ]`, `[[ … ]]` and `test …`, as far as the script itself decides it.
Status evaluate_test(const std::vector<Word>& words, Environment& environment);

}  // namespace spillway::config::shell
