#include "tools/validate/scenario.hpp"

namespace spillway::validate {

using config::Core;
using config::Value;

namespace {

/// One option that fills a field of two dataclasses.
struct Shared {
  std::string_view from, to;
};
constexpr Shared kShared[] = {
    {"model.bf16", "optimizer.bf16"},
    {"model.fp16", "optimizer.fp16"},
    {"model.params_dtype", "optimizer.params_dtype"},
    {"model.fp8_recipe", "optimizer.fp8_recipe"},
    {"optimizer.use_distributed_optimizer", "ddp.use_distributed_optimizer"},
    {"optimizer.overlap_param_gather", "ddp.overlap_param_gather"},
};

std::int64_t integer(const Scenario& scenario, std::string_view key) {
  const Value value = scenario.current(key);
  return value.integer() != nullptr ? *value.integer() : 0;
}

bool on(const Scenario& scenario, std::string_view key) { return scenario.current(key).truthy(); }

/// bf16 and fp16 decide the parameter type; pipelines send activations in it.
void derive_dtypes(Scenario& scenario) {
  const char* const dtype = on(scenario, "model.bf16") ? "torch.bfloat16" : on(scenario, "model.fp16") ? "torch.float16" : "torch.float32";
  scenario.derive("model.params_dtype", dtype, {"model.bf16", "model.fp16"});
  scenario.derive("model.pipeline_dtype", dtype, {"model.bf16", "model.fp16"});
  // Without a fixed loss scale fp16 scales dynamically, and NaNs are its signal.
  if (on(scenario, "model.fp16") && !on(scenario, "optimizer.loss_scale"))
    scenario.derive("rerun_state_machine.check_for_nan_in_loss", false);
}

/// A pattern such as `M*-M*-|…/M` states the layers of a hybrid model; what follows `/` are prediction layers.
/// Encoder-decoder models count the encoder's layers.
void derive_layer_count(Scenario& scenario) {
  if (scenario.given("model.num_layers") != nullptr) return;
  if (scenario.given("args.encoder_num_layers") != nullptr) {
    scenario.derive("model.num_layers", scenario.current("args.encoder_num_layers"));
    return;
  }
  for (const std::string_view key : {"args.hybrid_layer_pattern", "args.hybrid_override_pattern", "model.hybrid_layer_pattern"}) {
    const Value pattern = scenario.current(key);
    if (pattern.string() == nullptr) continue;
    const std::string_view main = std::string_view(*pattern.string()).substr(0, pattern.string()->find('/'));
    std::int64_t layers = 0;
    for (const char c : main) layers += c != '|';
    scenario.derive("model.num_layers", layers);
    return;
  }
}

/// Source: megatron/training/arguments.py validate_args and core_transformer_config_from_args.
void derive_offload(Scenario& scenario) {
  if (scenario.core >= Core::k0_16)
    scenario.derive_if(integer(scenario, "model.cpu_offloading_num_layers") > 0, "model.cpu_offloading", true,
                       {"model.cpu_offloading_num_layers"});
  if (on(scenario, "args.recompute_activations")) scenario.derive("model.recompute_granularity", "selective");
  scenario.derive_if(integer(scenario, "model.tensor_model_parallel_size") <= 1, "model.sequence_parallel", false,
                     {"model.tensor_model_parallel_size"});
  if (on(scenario, "ddp.use_megatron_fsdp") && integer(scenario, "ddp.megatron_fsdp_version") != 2)
    scenario.derive("optimizer.use_distributed_optimizer", true);
}

}  // namespace

void normalise_megatron_lm(Scenario& scenario) {
  derive_dtypes(scenario);
  derive_layer_count(scenario);
  derive_offload(scenario);
  for (const auto& shared : kShared)
    if (scenario.given(shared.to) == nullptr) scenario.derive(shared.to, scenario.current(shared.from), {shared.from});
}

}  // namespace spillway::validate
