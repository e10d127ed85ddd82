#pragma once

#include <string>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// What argparse reports together at its end: the words of `unrecognized arguments: …`, in order.
std::string unrecognized_words(const Facts& facts);
/// Whether a remark contributes to those words instead of stopping argparse at once.
bool is_unrecognized(const config::Remark& remark);

/// Sequence (within Place::kParse) of that message: after everything at which argparse stops at once.
inline constexpr int kUnrecognized = 200;
/// Sequence of a remark at which argparse, or the grammar of Hydra's overrides, stops at once.
int parse_sequence(const Facts& facts, const config::Remark& remark);
/// Sequence of an override that parses but cannot be applied: Hydra parses all of them first, then applies them in order.
int apply_sequence(const config::Origin& origin);

/// The setting or remark stands in an override word (`a.b=c`), where Hydra refuses what does not exist.
bool in_override_word(const Facts& facts, const config::Origin& origin);
/// `--x (did you mean --y?)`.
std::string with_suggestions(const std::string& subject, const config::Remark& remark);
/// The key of an override as written, without `+`, `++` or `~`.
std::string_view spelled_key(const config::Origin& origin);

}  // namespace spillway::validate
