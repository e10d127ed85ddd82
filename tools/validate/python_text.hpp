#pragma once

#include <set>
#include <string>
#include <string_view>

#include "tools/config/value.hpp"

namespace spillway::validate {

/// A set of strings as Python prints it: `{'attn_proj', 'core_attn'}`. Members are sorted; Python's own order varies between runs.
std::string python_set(const std::set<std::string>& members);

/// The TypeError text of an ordering between a value and a number: `'<' not supported between instances of 'str' and 'int'`.
std::string not_comparable(std::string_view sign, const config::Value& value, std::string_view other = "int");

}  // namespace spillway::validate
