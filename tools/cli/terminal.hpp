#pragma once

#include <string_view>

#include "tools/cli/command.hpp"

namespace spillway::cli {

/// What this process's standard output and error can show. Colour goes to terminals only; NO_COLOR and CLICOLOR_FORCE are respected.
Surroundings look_around();

/// Writes all of it to a file descriptor. A reader that went away is no error: the rest is dropped.
/// Returns: false when something was lost for another reason, such as a full disk.
bool write_all(int descriptor, std::string_view text);

}  // namespace spillway::cli
