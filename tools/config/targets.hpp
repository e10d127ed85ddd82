#pragma once

#include <string_view>

#include "tools/config/tree.hpp"

namespace spillway::config {

/// A mapping that stands for something of Python's: it has `_target_`.
bool is_target(const Node& node);
/// … an object with fields, as opposed to a dtype, an enum member, a function or a partial.
bool is_object(const Node& node);
/// What a target that is no object is as a value: an enum member's name, else the dotted name.
Value target_value(const Node& node);

/// The name of a torch dtype as Python prints it: `torch.bfloat16`.
bool is_dtype_name(std::string_view text);

}  // namespace spillway::config
