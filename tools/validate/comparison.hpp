#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/validate/validate.hpp"

namespace spillway::validate {

/// An effective value that is not the same on both sides.
struct ChangedValue {
  std::string key;                      ///< Canonical; or what the run is judged for: launcher, mcore, te, script, recipe.
  std::optional<config::Value> before;  ///< Nothing: not stated, and no default is known.
  std::optional<config::Value> after;
  std::optional<config::Origin> before_at;  ///< Where it stands, where the user gave it.
  std::optional<config::Origin> after_at;
};

/// What lies between two configurations.
struct Comparison {
  std::string verdict;  ///< `error`: a new error; `unknown`: a missing value decides; `warning`: a new warning; `ok`: nothing got worse.
  std::string summary;  ///< One sentence.
  Answer before;
  Answer after;
  std::vector<ChangedValue> changed;  ///< What new errors are about first, then what the run is judged for, then what the user states.
  std::vector<Finding> appeared;      ///< As `after` has them.
  std::vector<Finding> gone;          ///< As `before` has them; what `after` cannot decide is not gone.
  std::vector<Finding> same;          ///< As `after` has them.
  std::vector<std::string> assumptions;
  std::vector<Missing> missing;
};

/// Compares what two questions come to: effective values, so that another spelling, a default written out and a value that upstream would
/// set anyway are no change; and findings by rule, severity and keys, whatever numbers their messages quote. Pure.
/// Cost: two validations.
Comparison compare(const Question& before, const Question& after);

/// A value as the comparison speaks of it: `2`, `None`, `not stated`.
std::string shown(const std::optional<config::Value>& value);

}  // namespace spillway::validate
