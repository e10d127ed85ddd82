#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/config/value.hpp"

namespace spillway::config {

/// What stands behind the `=` of a Hydra override.
struct HydraValue {
  Value value;          ///< Unknown for what is only resolved when the run starts (`${…}`, `choice(…)`), and when there is a problem.
  std::string problem;  ///< What does not parse; empty when all is well.
  bool sweep = false;   ///< An unbracketed comma: several runs, one value each.
  bool quoted = false;  ///< A quoted string.
};

/// Reads a value: `true` and `null` in any case, integers, floats, quoted and plain strings, lists, dicts.
HydraValue parse_hydra_value(std::string_view text);

/// The value as parse_hydra_value reads it, quoted only where it must be; nothing for what the grammar cannot say.
std::optional<std::string> hydra_text(const Value& value);

}  // namespace spillway::config
