#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/value.hpp"

namespace spillway::validate {

/// The names without those of `dropped`, in their order: the new value of a key in a fix.
config::List without(const std::vector<std::string>& names, const std::set<std::string>& dropped);
/// The names with one more at the end.
config::List with(config::List names, std::string_view added);
/// The members of `names` that are also in `wanted`.
std::set<std::string> common(const std::set<std::string>& names, const std::set<std::string>& wanted);
/// `a, b and c`, for messages.
std::string enumerated(const std::set<std::string>& names);

}  // namespace spillway::validate
