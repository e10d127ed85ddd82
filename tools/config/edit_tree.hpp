#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/config/reader.hpp"

namespace spillway::config {

/// An entry of a mapping as a form writes it. `value` empty: the entry goes.
struct EntryText {
  std::string key;  ///< Last part of the path, quoted if need be; used when the entry is new or `renames`.
  std::string value;
  bool renames = false;  ///< The key is written anew as well.
};

/// Candidates for Reader::edit in YAML and JSON: the entry at the place of the key's winning setting, else a new one beside settings of
/// the same section, else a new section at the end. Block and flow style, lists in both, quotes and comments are understood.
/// `section`: the path under which a new entry of this key stands, `model` or `MODEL_ARGS`.
std::vector<std::string> edit_tree(std::string_view text, const Reading& reading, const Edit& edit, const EntryText& entry,
                                   std::string_view section);

/// For forms whose path is the canonical key and whose values are YAML.
std::vector<std::string> edit_yaml(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context);

}  // namespace spillway::config
