#pragma once

#include <string>
#include <string_view>

#include "base/style.hpp"

namespace spillway {

/// What turns one text into the other, as `diff -u` and `patch` write it; empty when they are the same.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

/// A unified diff for a reader: removed and added lines in colour.
std::string painted_diff(std::string_view diff, const Style& style);

}  // namespace spillway
