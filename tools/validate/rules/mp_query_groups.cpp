#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_query_groups() {
  return {
      .code = "MP-QUERY-GROUPS",
      .summary = "Megatron-Core 0.15 does not share a query group between tensor-parallel ranks",
      .until = Core::k0_15,
      .raises = {{Place::kTransformerConfig, 1390, "ValueError",
                  "num_query_groups ({}) must be a multiple of tensor_model_parallel_size ({})."}},
      .what =
          "num_query_groups (the number of attention heads where it is not set) is no multiple of tensor_model_parallel_size, in "
          "Megatron-Core 0.15.",
      .why = "The configuration is refused. Later versions let several ranks share a group.",
      .remedy = "Lower the tensor-parallel size, or use Megatron-Core 0.16 or later.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.num_query_groups % self.tensor_model_parallel_size != 0: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto ranks = facts.integer("model.tensor_model_parallel_size", 1);
            if (ranks <= 1) return;
            const std::string_view key = facts.is_null("model.num_query_groups") ? "model.num_attention_heads" : "model.num_query_groups";
            const auto groups = facts.integer(key);
            if (groups <= 0 || groups % ranks == 0) return;
            report
                .add(std::to_string(groups) + " query groups do not divide among " + std::to_string(ranks) +
                     " tensor-parallel ranks in this version")
                .keys({"model.num_query_groups", "model.tensor_model_parallel_size"})
                .with({std::to_string(groups), std::to_string(ranks)});
          },
  };
}

}  // namespace spillway::validate::rules
