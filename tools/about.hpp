#pragma once

#include <string_view>

namespace spillway {

/// The version of this program, `0.1.0`.
std::string_view program_version();

}  // namespace spillway
