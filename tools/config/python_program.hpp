#pragma once

#include "tools/config/reader.hpp"

namespace spillway::config {

/// What a Python recipe sets: assignments to the configuration and its parts (`cfg`, `config`, `recipe`, `c`, and what was made or named by
/// the text itself), setattr, constructor calls, environment dictionaries, and the base recipe it starts from. Read line by line
/// and never run: what depends on a condition, a loop or a call is Unknown.
/// Errors: `bad-syntax` with the place when strings or brackets do not close.
Result<Reading> read_python(std::string_view text, const ReadContext& context);

}  // namespace spillway::config
