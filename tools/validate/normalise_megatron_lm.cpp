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
}

/// Megatron-FSDP v1 shards through the distributed optimizer and has no gradient buffer to reuse (0.17 leaves both alone); the
/// emerging optimizers have a layer-wise one of their own (since 0.18); frozen models have none.
void derive_distributed_optimizer(Scenario& scenario) {
  if (scenario.core <= Core::k0_17) return;
  if (on(scenario, "ddp.use_megatron_fsdp")) {
    if (integer(scenario, "ddp.megatron_fsdp_version") != 2) scenario.derive("optimizer.use_distributed_optimizer", true);
    scenario.derive("optimizer.reuse_grad_buf_for_mxfp8_param_ag", false);
  }
  const Value optimizer = scenario.current("optimizer.optimizer");
  if (optimizer != Value("adam") && optimizer != Value("sgd") && !optimizer.is_unknown()) {
    const bool layer_wise = optimizer == Value("dist_muon") || on(scenario, "optimizer.use_distributed_optimizer");
    if (layer_wise) scenario.derive("optimizer.use_layer_wise_distributed_optimizer", true);
    scenario.derive("optimizer.use_distributed_optimizer", false);
  }
  if (!on(scenario, "args.freeze_all_layers")) return;
  scenario.derive("optimizer.use_distributed_optimizer", false);
  scenario.derive("optimizer.overlap_param_gather", false);
}

/// Options that TransformerConfig gets under another name, or only together with a second one.
void derive_model_fields(Scenario& scenario) {
  if (!on(scenario, "args.group_query_attention"))
    scenario.derive("model.num_query_groups", config::Null{}, {"args.group_query_attention"});
  scenario.derive_if(on(scenario, "model.add_bias_linear"), "model.add_qkv_bias", true, {"model.add_bias_linear"});
  const bool given_up = on(scenario, "dist.use_torch_fsdp2") && scenario.te >= Version{2, 0, 0};
  scenario.derive("model.fp8_param", !given_up && on(scenario, "ddp.fp8_param_gather"), {"ddp.fp8_param_gather"});
}

}  // namespace

void normalise_megatron_lm(Scenario& scenario) {
  derive_dtypes(scenario);
  derive_layer_count(scenario);
  derive_offload(scenario);
  derive_distributed_optimizer(scenario);
  derive_model_fields(scenario);
  for (const auto& shared : kShared)
    if (scenario.given(shared.to) == nullptr) scenario.derive(shared.to, scenario.current(shared.from), {shared.from});
}

}  // namespace spillway::validate
