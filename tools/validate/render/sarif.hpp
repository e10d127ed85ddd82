#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/config/train_config.hpp"
#include "tools/config/value.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate::render {

/// One file's text before and after a fix.
struct TextChange {
  std::string file;
  std::string before;
  std::string after;
};

/// What a log says beside the answer.
struct SarifContext {
  std::string version;    ///< Of this program.
  std::string directory;  ///< Absolute; files below it are named relative to it, as a repository's are. Empty: names stay.
  /// The files that a fix changes; nothing when none of them can hold all of it.
  std::function<std::vector<TextChange>(const Fix&)> changes = {};
};

/// The answer as a SARIF 2.1.0 log of one run, as code scanning services take it: the rules that found something, each finding at its
/// place, its fixes as replacements of text, and what is missing or was not decided as notifications.
/// Shape: a finding without a place in a file stands at line 1 of the first file, because services refuse results without a location; where
/// no file was given it has none, and a notification says so. A fix that would carry a secret is left out.
/// Units: columns in UTF-16 code units, from 1.
/// Cost: one call of `changes` a fix, for the first 100.
/// Source: OASIS SARIF 2.1.0; GitHub, "SARIF support for code scanning".
config::Value sarif(const Answer& answer, const config::TrainConfig& config, const SarifContext& context);

}  // namespace spillway::validate::render
