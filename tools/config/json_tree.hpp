#pragma once

#include "tools/config/tree.hpp"

namespace spillway::config {

/// A JSON text as a tree: strings are quoted scalars, numbers, true and false plain ones. Repeated keys keep their last value.
/// Errors: `bad-syntax` with the place; also for nesting deeper than kMaxDepth and more values than the context allows.
Result<Document> parse_json(std::string_view text, const ReadContext& context);

}  // namespace spillway::config
