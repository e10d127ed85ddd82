#pragma once

#include <optional>
#include <string_view>

namespace spillway::config::shell {

/// Whether a pattern of `*` and `?` matches the whole text; nothing for patterns with brackets and for very long texts.
std::optional<bool> matches_glob(std::string_view pattern, std::string_view text);

/// The text after `${x%pattern}`, `%%`, `#` or `##`.
std::optional<std::string_view> without_affix(std::string_view text, std::string_view pattern, std::string_view op);

}  // namespace spillway::config::shell
