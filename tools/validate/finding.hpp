#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/train_config.hpp"

namespace spillway::validate {

enum class Severity { kInfo, kWarning, kError };
/// Where upstream fails, in the order a run reaches it.
enum class Stage { kParse, kArgs, kConfig, kBridge, kBuild, kForward, kStep, kSave, kLoad };

std::string_view name(Severity severity);  ///< `info`, `warning`, `error`
std::string_view name(Stage stage);        ///< `parse`, `args`, `config`, `bridge`, `build`, `fwd`, `step`, `save`, `load`

using config::Edit;

/// One way out of a finding.
struct Fix {
  /// kSafe: the run would be refused or the key has no effect, and there is one remedy. kUnsafe: speed, memory or numerics
  /// change. kDisplayOnly: a person must choose.
  enum class Safety { kSafe, kUnsafe, kDisplayOnly };
  Safety safety = Safety::kDisplayOnly;
  std::string summary;  ///< Imperative: "Set pipeline_model_parallel_size to 1".
  std::vector<Edit> edits;
};

std::string_view name(Fix::Safety safety);  ///< `safe`, `unsafe`, `display-only`

/// What upstream raises.
struct UpstreamError {
  std::string type;     ///< `ValueError`
  std::string message;  ///< As printed; may be empty.
};

/// One thing a rule found.
struct Finding {
  std::string code;
  Severity severity = Severity::kError;
  Stage stage = Stage::kConfig;
  std::string message;  ///< Self-contained: what is wrong with these values, and what follows from it.
  std::optional<UpstreamError> upstream;
  bool first = false;  ///< The one upstream would raise first.
  std::vector<std::string> keys;
  std::optional<config::Origin> location;  ///< Of the first key that the user wrote.
  std::vector<Fix> fixes;
};

}  // namespace spillway::validate
