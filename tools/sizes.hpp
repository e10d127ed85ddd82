#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway {

/// The bytes that a size means: `80GB` (10⁹), `80 GiB` (2³⁰), `1.5T`, `512M`; a letter alone counts as the decimal unit, a bare
/// number below 100,000 as GB.
/// Errors: nothing for a negative size, an unknown unit, or no number.
std::optional<std::int64_t> parse_size(std::string_view text);

/// The canonical spelling of such a size (`80 GB`, `512 GiB`), keeping its unit; nothing when it is none.
std::optional<std::string> size_spelling(std::string_view text);

}  // namespace spillway
