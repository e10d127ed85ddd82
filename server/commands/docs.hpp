#pragma once

#include <vector>

#include "tools/catalog.hpp"
#include "tools/cli/command.hpp"

namespace spillway::commands {

/// `spillway docs`: `--write` and `--check` keep the pages of a source tree what the rules and tools say, `--upstream` looks for the rules'
/// texts in trees of Megatron-LM, Megatron-Bridge and Transformer Engine.
/// Status: kBadNews for pages that differ, and for texts that are gone or moved.
cli::Command docs(const std::vector<AnyTool>& tools);

}  // namespace spillway::commands
