#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/config/value.hpp"
#include "tools/fields.hpp"

namespace spillway {

/// How the values came: with JSON's types, or all as text from a command line. Decides how arguments are named in messages
/// and what counts as a reinterpretation.
enum class Wire { kJson, kCommandLine };

/// What decoding has to say besides the values themselves.
struct Decoded {
  std::vector<Error> errors;            ///< Every mistake, not only the first.
  std::vector<std::string> understood;  ///< Every value that was taken for something else than what was written.
};

/// Puts given values into the members they are named after. Human spellings are understood: numbers and booleans as text,
/// "50%", one text where a list is expected, names in another case.
/// Errors: `unknown-argument` (with the nearest names), `bad-value`, `missing-argument`.
Decoded decode(const config::Map& given, const Fields& fields, Wire wire);

/// How a member is called on that wire: `world_size` or `--world-size`.
std::string called(const Field& field, Wire wire);

}  // namespace spillway
