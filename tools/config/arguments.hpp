#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/config/reader.hpp"

namespace spillway::config {

/// One word of a command line.
struct Token {
  std::string text;                ///< Quotes removed. Of a word that cannot be resolved: as written.
  Origin origin;                   ///< Where the word itself stands, not where a variable that holds it is used.
  std::optional<Unknown> unknown;  ///< The word, or whether it is given at all, depends on something the text does not say.
  bool open = false;               ///< Of an unknown word: it may be any words, none or several.
};

/// What Megatron-LM's argument parser makes of the words after the script name: the exact behaviour of Python's argparse without
/// abbreviations, except that it reads on after an error. The launcher is megatron-lm, each value is typed as its option declares.
///
/// The remarks come in the order in which argparse would speak: first those at which it stops at once (see
/// stops_parsing) in the order of the words; then what it reports together at the end as `unrecognized arguments: …`
/// (kUnknownFlag, kFlagValue), again in order: the words of that message are each remark's subject and, behind a blank, its detail
/// where it has one (behind nothing when the detail starts with `=`; of a kFlagValue the detail alone). Everything that argparse
/// has no objection to (kDuplicate, kUnresolved) comes last.
///
/// A setting whose value argparse would refuse is Unknown. The `expected` of a kFlagValue is `=` when the value was attached:
/// argparse then stops with `ignored explicit argument`.
Reading read_arguments(const std::vector<Token>& tokens, const ReadContext& context);

/// Whether argparse stops at this remark of read_arguments instead of reading on.
bool stops_parsing(const Remark& remark);

/// The words that read_arguments turns into these settings.
/// Errors: `not-expressible`, naming the first key without an option or the first value that no argument list can hold.
Result<std::vector<std::string>> write_arguments(const std::vector<Setting>& settings, const ReadContext& context);

}  // namespace spillway::config
