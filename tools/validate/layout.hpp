#pragma once

#include <cstdint>
#include <optional>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// The number of stages (virtual ones included) that pipeline_model_parallel_layout describes: the members of a list, or the parts that
/// `|` separates in a text such as `Et*3|(tt|)*28,L`. Nothing when there is no layout, or none that can be read.
std::optional<std::int64_t> layout_stages(const Facts& facts);

/// Ranks that hold one replica of the model together: tensor, pipeline and context parallelism, and sharded weights since 0.19.
std::int64_t model_parallel_ranks(const Facts& facts);

/// How many times the weights of one tensor-parallel rank are split further (tensor_parallel_num_weight_shards); 1 as a rule.
std::int64_t weight_shards(const Facts& facts);

}  // namespace spillway::validate
