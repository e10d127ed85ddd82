#pragma once

#include <string>
#include <string_view>

#include "tools/config/value.hpp"
#include "tools/fields.hpp"

namespace spillway {

/// JSON Schema of an input: unknown members are refused; only required members must be there.
/// The schemas are the plain subset that every client takes: typed members, no combinators, no references, no null.
config::Value input_schema(const Fields& fields);

/// JSON Schema of an output: every member that cannot be absent is required.
config::Value output_schema(const Fields& fields);

/// A Markdown table of an input: argument, flag, meaning.
std::string input_table(const Fields& fields);

/// What a field takes, for people: `true or false`, `one of a, b`, `a whole number ≥ 1`.
std::string type_words(const Field& field);

}  // namespace spillway
