#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tools/config/reader.hpp"

namespace spillway::config {

/// The text of a source with these changes; comments, order and layout stay as they are. A value that stands nowhere yet is added beside
/// the last setting of the same section or command; a key that is written several times is changed where it counts.
///
/// What comes out is proven: read again, it gives the settings of the old text with the changes, and nothing odd that was not there
/// before.
/// Errors: `not-editable` with the change that cannot be written into this text; those of read_source.
Result<std::string> edit_source(std::string_view text, const std::vector<Edit>& edits, const ReadContext& context);

}  // namespace spillway::config
