#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/config/tables/tables.hpp"
#include "tools/config/train_config.hpp"

namespace spillway::config {

/// A word as the value of an option, or why it cannot be one.
struct TypedWord {
  Value value;                          ///< Unknown when there is a problem.
  std::optional<Remark::Kind> problem;  ///< kBadValue or kBadChoice.
  std::string expected;                 ///< As in Remark.
};

/// Converts and checks one word as argparse does for this option.
TypedWord typed_word(const tables::Flag& flag, const std::string& text);

/// The values of an option that takes several. A list with an unknown part is unknown: the part may be any number of words.
Value joined_words(std::vector<Value> values);

/// The words that typed_word turns into this value: none for a switch. Nothing when the option cannot hold the value.
std::optional<std::vector<std::string>> words_of(const tables::Flag& flag, const Value& value);

}  // namespace spillway::config
