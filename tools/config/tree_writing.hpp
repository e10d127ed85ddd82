#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/config/train_config.hpp"

namespace spillway::config {

/// The last setting of each key, in the order of those.
std::vector<Setting> winners(const std::vector<Setting>& settings);

/// Settings as nested maps, `model.x` as `{model: {x: …}}`.
/// Errors: `not-expressible` for a value that is Unknown or holds `${`, which would be read as a reference, for a key that is both a
/// value and a section, and for options (`args.…`); for the process environment (`env.…`) unless it is wanted.
Result<Map> nested(const std::vector<Setting>& settings, bool environment = false);

/// `not-expressible` for a setting: what the form cannot hold and why.
Error not_expressible(const Setting& setting, std::string_view why);

/// The first of these settings that a reading of what was written does not give back, as `not-expressible`. The rules by which forms nest,
/// split and type what they hold are crooked enough that reading back is the only proof.
std::optional<Error> misread(const Result<Reading>& again, const std::vector<Setting>& settings);

/// Nested maps as block-style YAML. With `targets`, torch dtypes are written as the mappings a dump has for them.
std::string yaml_block(const Map& map, bool targets);

}  // namespace spillway::config
