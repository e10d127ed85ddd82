#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/config/value.hpp"
#include "tools/fields.hpp"

namespace spillway::cli {

/// A tool's command line, taken apart.
struct Parsed {
  config::Map given = {};  ///< By argument name, all values as text.
  std::vector<Error> errors = {};
  bool help = false;
  bool json = false;
};

/// Shape: `args` follow the tool's command.
/// Errors: `unknown-option` with the nearest options, `bad-option` for a value that is missing.
Parsed parse(const std::vector<std::string>& args, const Fields& fields);

}  // namespace spillway::cli
