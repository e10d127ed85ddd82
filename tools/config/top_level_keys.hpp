#pragma once

#include <string_view>
#include <vector>

namespace spillway::config {

/// The part of a text that recognition looks at.
std::string_view beginning(std::string_view text);

/// The keys that stand in the first column of what may be block-style YAML: `key:` at the end of a line or before a blank.
/// Empty when another line begins in the first column with something that no YAML mapping has there.
/// Cost: linear in beginning().
std::vector<std::string_view> top_level_keys(std::string_view text);

bool has_key(const std::vector<std::string_view>& keys, std::string_view key);

/// How many of the keys are sections of Megatron-Bridge's configuration, or roots of the frameworks around Megatron.
int count_sections(const std::vector<std::string_view>& keys);

/// A line holds `_target_:`.
bool has_targets(std::string_view text);

}  // namespace spillway::config
