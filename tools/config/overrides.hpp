#pragma once

#include <string>
#include <vector>

#include "tools/config/arguments.hpp"

namespace spillway::config {

/// What Megatron-Bridge makes of override words: `a.b=c`, `+a.b=c`, `++a.b=c`, `~a.b`, `~a.b=c`. The keys become canonical
/// (`model.transformer.x` is `model.x`; the paths of frameworks around Megatron are understood), the spelling stays in the origin,
/// with its prefix. The launcher is bridge, or megatron-core for frameworks that build Megatron-Core's configuration themselves.
///
/// Whether `env_vars.NAME` exists depends on the recipe: it is a setting, and its spelling tells the prefix.
/// A dict for a section becomes one setting a leaf. A value that does not parse, and an unbracketed comma, are Unknown. The detail of a
/// kDeletedKey is the value; its `expected` is `=` when there was one, even an empty one.
Reading read_overrides(const std::vector<Token>& tokens, const ReadContext& context);

/// One override word for each setting. The spelling of the origin is kept where it names the same key.
/// Errors: `not-expressible`.
Result<std::vector<std::string>> write_overrides(const std::vector<Setting>& settings, const ReadContext& context);

/// The word parsed far enough to know that it is an override: the length of `[+~]*path` before `=`, or of the whole of `~path`; 0 if not.
std::size_t override_key_length(std::string_view word);

}  // namespace spillway::config
