#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace spillway {

/// The bytes of a regular file, or of standard input for `-`.
/// Units: `limit` in bytes; one byte more is an error, and no more than that is read.
/// A named pipe that nobody writes to is waited for a few seconds.
/// Errors: `file-not-found`, `not-a-file` (a folder, a socket), `file-too-large`, `file-unreadable`; each names the path.
Result<std::string> read_file(const std::string& path, std::size_t limit);

/// Replaces the content of a file at once: whoever reads it meanwhile sees the old text or the new one. Links are followed,
/// permissions stay.
/// Errors: `file-not-written`, naming the path and the reason; the old file is then still there.
std::optional<Error> write_file(const std::string& path, std::string_view text);

}  // namespace spillway
