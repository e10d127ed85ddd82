#pragma once

#include <string>
#include <string_view>
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
  std::string_view format = {};  ///< The one asked for of the formats given.
};

/// Shape: `args` follow the tool's command; `formats` are those beside text and JSON.
/// Errors: `unknown-option` with the nearest options, `bad-option` for a value that is missing.
Parsed parse(const std::vector<std::string>& args, const Fields& fields, const std::vector<std::string_view>& formats = {});

}  // namespace spillway::cli
