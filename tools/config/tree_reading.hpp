#pragma once

#include "tools/config/key_paths.hpp"
#include "tools/config/tree.hpp"

namespace spillway::config {

/// How a form writes its tree.
struct TreeStyle {
  std::string_view form;             ///< Name of the reader.
  std::optional<Launcher> launcher;  ///< What the form implies.
  bool targets = false;              ///< Mappings with `_target_` stand for objects, dtypes, enum members and functions.
  bool interpolations = true;        ///< `${a.b}` stands for another value of the same text.
  bool front_ends = false;           ///< The text may be one of a front end's, which then excuses keys that nobody knows.
  bool core_fields = false;          ///< Keys are Megatron-Core's fields of the context's version, not Megatron-Bridge's.
  std::string (*canonical)(std::string_view spelling) = canonical_key;  ///< The canonical key of a path.
};

/// The settings of a tree, in the order written, with remarks on what is odd about them.
/// Errors: `bad-syntax` when the root is no mapping, `too-large` when the settings would be far larger than the text.
Result<Reading> read_tree(const Document& document, const ReadContext& context, const TreeStyle& style);

}  // namespace spillway::config
