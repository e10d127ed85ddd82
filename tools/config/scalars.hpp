#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/config/value.hpp"

namespace spillway::config {

/// What a plain (unquoted) scalar of a configuration file means: null, a boolean (`true`, `True`, `TRUE`), an integer (also `0x1F`,
/// `0b1`, `017`, `1_000`; `0o17` is text), a float (also `1e-4`, `.inf`), else text. Integers that do not fit 64 bits become floats.
/// Source: OmegaConf's loader, which is PyYAML's with more floats.
Value resolve_plain(std::string_view text);

/// One of YAML 1.1's words for a boolean that YAML 1.2 takes as text: yes, no, on, off, y, n.
bool is_yaml11_boolean(std::string_view text);
/// What PyYAML, and OmegaConf's loader with it, makes of such a word: yes, no, on and off are booleans there; y and n stay text.
std::optional<bool> yaml11_boolean(std::string_view text);
/// Whether PyYAML itself takes a text that resolve_plain() takes for a float as one: an exponent needs a dot and a sign, or it is text.
bool is_yaml11_float(std::string_view text);
/// `true` or `false` in any case.
bool is_boolean_word(std::string_view text);

/// A scalar value as YAML text, quoted where it would otherwise be read as something else. Lists and maps in flow style.
/// Nothing for a value that is Unknown.
std::optional<std::string> yaml_text(const Value& value);
std::string yaml_string(std::string_view text);

/// A text in double quotes, with the escapes that YAML and Python share.
std::string double_quoted(std::string_view text);
/// `[item, …]` of a list and `{key: item, …}` of a map, as YAML and Python both write them. Nothing when an item has no text.
std::optional<std::string> flow_text(const Value& value, std::optional<std::string> (*item)(const Value&),
                                     std::string (*key)(std::string_view));

}  // namespace spillway::config
