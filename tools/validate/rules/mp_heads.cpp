#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_heads() {
  return {
      .code = "MP-HEADS",
      .summary = "attention heads do not divide among the tensor-parallel ranks",
      .raises = {{Place::kTransformerConfig, 1380, "ValueError",
                  "num_attention_heads ({}) must be a multiple of tensor_model_parallel_size ({})."},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1390,
                  .type = "ValueError",
                  .text = "num_query_groups ({}) must be a multiple of tensor_model_parallel_size ({}).",
                  .until = Core::k0_15},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1390,
                  .type = "ValueError",
                  .text = "num_query_groups ({}) must be a multiple or divisor of tensor_model_parallel_size ({}).",
                  .since = Core::k0_16}},
      .what =
          "num_attention_heads is no multiple of tensor_model_parallel_size; or num_query_groups is neither a multiple nor, since 0.16, a "
          "divisor of it.",
      .why = "A head is never split; Megatron-Core refuses the configuration.",
      .remedy = "Choose a tensor-parallel size that divides the heads.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.num_attention_heads % self.tensor_model_parallel_size != 0: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto ranks = facts.integer("model.tensor_model_parallel_size", 1), heads = facts.integer("model.num_attention_heads");
            if (ranks <= 1 || heads <= 0) return;
            const auto refuse = [&](std::size_t raise, std::string_view key, std::int64_t count) {
              report
                  .add(std::string(key.substr(6)) + " is " + std::to_string(count) + ", which does not divide among " +
                       std::to_string(ranks) + " tensor-parallel ranks")
                  .keys({key, "model.tensor_model_parallel_size"})
                  .raise(raise, {std::to_string(count), std::to_string(ranks)});
            };
            if (heads % ranks != 0) refuse(0, "model.num_attention_heads", heads);
            const auto groups = facts.is_null("model.num_query_groups") ? heads : facts.integer("model.num_query_groups");
            if (groups <= 0 || groups % ranks == 0) return;
            if (facts.core() <= Core::k0_15)
              refuse(1, "model.num_query_groups", groups);
            else if (ranks % groups != 0)
              refuse(2, "model.num_query_groups", groups);
          },
  };
}

}  // namespace spillway::validate::rules
