#pragma once

#include <cstdint>
#include <optional>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// Ranks that share the data: GPUs by tensor, pipeline and context parallel size (`context` instead of the model's own where given).
/// Nothing when the number of GPUs is not stated or does not divide.
std::optional<std::int64_t> data_parallel_size(const Facts& facts, std::optional<std::int64_t> context = std::nullopt);

/// Stages of a pipeline layout: `Et*4|(t*4|)*14tmL`, or a list with one list a stage. 0 when it is neither.
/// Source: megatron/core/transformer/pipeline_parallel_layer_layout.py.
std::int64_t stages_of(const config::Value& layout);

}  // namespace spillway::validate
