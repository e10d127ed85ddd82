#pragma once

#include <string_view>

#include "tools/locate.hpp"

namespace spillway {

/// The text of a source that a caller names: a file as read_named() takes it, or `REV:path`, the file as it was in a revision of the git
/// repository where the call stands. A file of exactly that name wins over a revision.
/// Errors: those of read_named; `bad-revision` for a revision that begins with a dash; `revision-not-read` when git is not there or does
/// not know it, with git's own words.
Result<NamedText> read_version(const std::string& name, const ToolContext& context);

}  // namespace spillway
