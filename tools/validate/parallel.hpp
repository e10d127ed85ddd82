#pragma once

#include <cstdint>
#include <optional>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// Ranks that share the data: GPUs by tensor, pipeline and context parallel size (`context` instead of the model's own where given).
/// Nothing when the number of GPUs is not stated or does not divide.
std::optional<std::int64_t> data_parallel_size(const Facts& facts, std::optional<std::int64_t> context = std::nullopt);

}  // namespace spillway::validate
