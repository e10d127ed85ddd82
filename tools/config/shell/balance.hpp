#pragma once

#include <cstddef>
#include <string_view>

namespace spillway::config::shell {

/// The place after the bracket that closes the one at `begin` (`$(`, `${`, `((`, `<(`, a backtick); npos when nothing does.
/// Cost: one pass, a byte for each level of nesting.
std::size_t balanced_end(std::string_view text, std::size_t begin);

}  // namespace spillway::config::shell
