#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Counts that are divided by or allocated with.
constexpr std::string_view kCounts[] = {
    "model.num_layers",
    "model.hidden_size",
    "model.ffn_hidden_size",
    "model.num_attention_heads",
    "model.seq_length",
    "model.tensor_model_parallel_size",
    "model.pipeline_model_parallel_size",
    "model.virtual_pipeline_model_parallel_size",
    "model.context_parallel_size",
    "model.expert_model_parallel_size",
    "model.expert_tensor_parallel_size",
    "train.micro_batch_size",
    "train.global_batch_size",
};

}  // namespace

Rule form_value_range() {
  return {
      .code = "FORM-VALUE-RANGE",
      .summary = "a size below 1",
      .stage = Stage::kConfig,
      .what = "A number of layers, heads, ranks or samples, or the size of a dimension, is zero or negative.",
      .why =
          "The sizes divide each other and the number of ranks: zero ends in a ZeroDivisionError, a negative one in process groups or "
          "tensors that cannot exist. Few of them are checked by name.",
      .remedy = "Write a whole number of at least 1, or leave the key out for its default.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "self.num_attention_heads % self.tensor_model_parallel_size != 0"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto key : kCounts) {
              const config::Setting* setting = facts.setting(key);
              if (setting == nullptr || setting->value.is_unknown()) continue;
              const auto number = facts.number(key);
              if (!number || !(*number < 1)) continue;  // NaN has a type of its own to be wrong about
              report.add(std::string(key.substr(key.find('.') + 1)) + " is " + facts.value(key).repr() + " and must be at least 1")
                  .keys({key});
            }
          },
  };
}

}  // namespace spillway::validate::rules
