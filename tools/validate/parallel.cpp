#include "tools/validate/parallel.hpp"

namespace spillway::validate {

std::optional<std::int64_t> data_parallel_size(const Facts& facts, std::optional<std::int64_t> context) {
  const auto world = facts.world_size();
  if (!world) return std::nullopt;
  const auto total = facts.integer("model.tensor_model_parallel_size", 1) * facts.integer("model.pipeline_model_parallel_size", 1) *
                     context.value_or(facts.integer("model.context_parallel_size", 1));
  if (total <= 0 || *world % total != 0) return std::nullopt;
  return *world / total;
}

}  // namespace spillway::validate
