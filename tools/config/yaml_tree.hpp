#pragma once

#include "tools/config/tree.hpp"

namespace spillway::config {

/// The first document of a YAML text. Anchors and merge keys are resolved, repeated keys keep their last value, further
/// documents are left out with a remark.
/// Errors: `bad-syntax` with the place; also for nesting deeper than kMaxDepth and more values than the context allows.
Result<Document> parse_yaml(std::string_view text, const ReadContext& context);

}  // namespace spillway::config
