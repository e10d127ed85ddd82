#pragma once

#include <string>
#include <string_view>

#include "tools/config/tree.hpp"

namespace spillway::config {

/// Whether a text holds `${…}`.
bool has_interpolation(std::string_view text);

/// The value of a text that refers to other values of its document: `${a.b}` from the root, `${.b}` beside it, `${..b}` one level up,
/// alone or inside a longer text. What cannot be resolved that way (a resolver, a missing key, a section, a circle) is Unknown.
/// `path` is where the text stands, as spelled.
Value interpolate(const Node& root, std::string_view path, std::string_view text);

}  // namespace spillway::config
