#pragma once

#include <string_view>

#include "tools/cli/command.hpp"

namespace spillway::cli {

/// What this process's standard output and error can show. Colour goes to terminals only; NO_COLOR and CLICOLOR_FORCE are respected.
Surroundings look_around();

/// Gives the numbers of standard input, output and error to nothing where the process was started without them, so that no file that is
/// opened later is taken for one of them. Reading and writing them goes on failing as if they were closed.
void occupy_standard_streams();

/// Writes all of it to a file descriptor. A reader that went away is no error: the rest is dropped.
/// Returns: 0, or the errno that says why something was lost: a full disk, a descriptor that is closed.
int write_all(int descriptor, std::string_view text);

/// What write_all()'s errno means for standard output.
Error unwritable(int reason);

}  // namespace spillway::cli
