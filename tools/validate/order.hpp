#pragma once

#include <compare>

#include "tools/validate/rule.hpp"

namespace spillway::validate {

/// Where in a run upstream reaches a check; smaller is earlier.
struct Position {
  int phase = 0;     ///< parse, arguments, configuration, build, … in the launcher's order
  int block = 0;     ///< which __post_init__ or which line of Bridge's validate()
  int sequence = 0;  ///< within the block
  auto operator<=>(const Position&) const = default;
};

/// Source: spec of the launchers' order of evaluation; Megatron-LM's gpt, hybrid and rl scripts build TransformerConfig before
/// OptimizerConfig, the others the other way round (up to 0.17 all do the former); Bridge finalizes the optimizer, then checks
/// CUDA graphs, then finalizes the model.
Position position(const Raise& raise, const Facts& facts);

}  // namespace spillway::validate
