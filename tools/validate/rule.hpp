#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/version.hpp"
#include "tools/validate/facts.hpp"
#include "tools/validate/finding.hpp"
#include "tools/validate/report.hpp"

namespace spillway::validate {

using config::Core;
using config::Launcher;

/// A set of launchers.
struct Launchers {
  unsigned bits = 0xF;
  constexpr Launchers() = default;
  constexpr Launchers(std::initializer_list<Launcher> launchers) : bits(0) {
    for (const auto launcher : launchers) bits |= 1u << static_cast<unsigned>(launcher);
  }
  constexpr bool has(Launcher launcher) const { return (bits >> static_cast<unsigned>(launcher)) & 1u; }
};

/// The upstream code that raises; with `sequence` it decides which failure a run shows first.
enum class Place {
  kParse,                ///< argparse, or Hydra's override parser
  kValidateArgs,         ///< Megatron-LM validate_args
  kModelParallelConfig,  ///< ModelParallelConfig.__post_init__
  kTransformerConfig,    ///< TransformerConfig.__post_init__
  kOptimizerConfig,      ///< OptimizerConfig.__post_init__
  kBridge,               ///< Bridge ConfigContainer.validate
  kBridgeRefinalize,     ///< Bridge's second finalize of provider-style models
  kBuildModel,
  kBuildOptimizer,
  kForward,
  kStep,
  kSave,
  kLoad,
};

/// The stage a place belongs to.
Stage stage_of(Place place);

/// One exception of upstream's that a rule predicts.
struct Raise {
  Place place = Place::kTransformerConfig;
  /// The line of the check in its file at the newest known commit. Used only to sort checks of one place; never shown.
  int sequence = 0;
  std::string_view type;  ///< `ValueError`
  /// As upstream writes it, `{}` for each value filled in.
  std::string_view text;
  Launchers launchers;  ///< Who sees this form of it.
  Core since = config::kOldestCore;
  Core until = config::kNewestCore;  ///< Inclusive.
};

/// The upstream check a rule was read from: file and the text of the condition, never a line number.
struct Evidence {
  std::string_view file;
  std::string_view text;
};

/// One constraint or trap. A value returned by one function a file; the file is the code in snake_case.
struct Rule {
  std::string_view code;     ///< `ACT-PP`; stable for ever.
  std::string_view summary;  ///< One line, lower case, no full stop.
  Severity severity = Severity::kError;
  Stage stage = Stage::kConfig;  ///< Where it bites; for a rule with `raises` the matching Raise decides.
  Launchers launchers = {};
  Core since = config::kOldestCore;
  Core until = config::kNewestCore;
  std::vector<Raise> raises = {};  ///< Empty: upstream says nothing.
  std::string_view what;           ///< What the condition is.
  std::string_view why;            ///< Why it hurts.
  std::string_view remedy;         ///< What to do.
  Evidence evidence;
  /// Reads nothing but Facts, never throws, reports every violation.
  void (*check)(const Facts& facts, Report& report) = nullptr;
};

namespace rules {
/// Every member of tools/validate/rules/, in the order of the file names.
std::vector<Rule> all();
}  // namespace rules

}  // namespace spillway::validate
