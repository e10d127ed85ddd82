#pragma once

#include <string>
#include <vector>

#include "tools/config/arguments.hpp"
#include "tools/config/tree.hpp"

namespace spillway::config {

/// The words that Megatron-LM's functional-test runner makes of a MODEL_ARGS mapping, each with the place of its key:
/// `true` is a bare option, `"[a b]"` several words, a text with a blank, `|` or a parenthesis one word, an empty text drops the key,
/// anything else is one word (so `false` is the word false). Options that need a number or a choice are open where a `$` stands: the runner
/// substitutes it from its environment.
std::vector<Token> expand_test_arguments(const Node& arguments, const ReadContext& context);

/// The text under a key of MODEL_ARGS that the runner turns into these words (the values of an option, or none for a switch).
std::string test_argument_text(const std::vector<std::string>& words);

}  // namespace spillway::config
