#include <algorithm>
#include <iterator>

#include "tools/validate/scenario.hpp"

namespace spillway::validate {

using config::Setting;
using config::Value;
namespace tables = config::tables;

namespace {

/// Fields of the mixed-precision recipe that setup() copies onto every config that has a field of the name.
/// Source: NVIDIA-NeMo/Megatron-Bridge, MixedPrecisionConfig.setup.
constexpr std::string_view kPrecisionFields[] = {
    "fp32",
    "bf16",
    "fp16",
    "params_dtype",
    "pipeline_dtype",
    "autocast_dtype",
    "autocast_enabled",
    "grad_reduce_in_fp32",
    "fp8",
    "fp8_recipe",
    "fp8_margin",
    "fp8_param_gather",
    "fp8_dot_product_attention",
    "fp4",
    "fp4_recipe",
    "reuse_grad_buf_for_mxfp8_param_ag",
    "first_last_layers_bf16",
    "num_layers_at_start_in_bf16",
    "num_layers_at_end_in_bf16",
};
constexpr std::string_view kPrecisionTargets[] = {"model.", "optimizer.", "ddp."};

/// Copied from comm_overlap when set there.
struct Copied {
  std::string_view from, to;
  bool always;  ///< Off on the model when comm_overlap exists but leaves it null: setup() starts from "off" and overwrites.
};
constexpr Copied kOverlapFields[] = {
    {"comm_overlap.overlap_moe_expert_parallel_comm", "model.overlap_moe_expert_parallel_comm", true},
    {"comm_overlap.delay_wgrad_compute", "model.delay_wgrad_compute", true},
    {"comm_overlap.defer_embedding_wgrad_compute", "model.defer_embedding_wgrad_compute", false},
    {"comm_overlap.wgrad_deferral_limit", "model.wgrad_deferral_limit", false},
    {"comm_overlap.overlap_param_gather_with_optimizer_step", "optimizer.overlap_param_gather_with_optimizer_step", true},
    {"comm_overlap.overlap_grad_reduce", "ddp.overlap_grad_reduce", false},
    {"comm_overlap.defer_embedding_wgrad_compute", "model.defer_embedding_wgrad_compute", false},
};

void copy_precision(Scenario& scenario, std::string_view field, const Value& value) {
  for (const auto target : kPrecisionTargets) {
    const std::string key = std::string(target) + std::string(field);
    if (!scenario.current(key).is_unknown() && scenario.fallback(key)) scenario.derive(key, value);
  }
}

/// A name stands for a set of values; values given one by one win over it.
void copy_mixed_precision(Scenario& scenario) {
  const Setting* named = scenario.given("mixed_precision");
  if (named != nullptr && named->value.is_null()) return;
  if (named != nullptr && named->value.string() != nullptr)
    if (const auto values = tables::find_precision(*named->value.string()))
      for (const auto& setting : *values) {
        const std::string_view field = std::string_view(setting.key).substr(std::string_view("mixed_precision.").size());
        if (is_mixed_precision_field(field)) copy_precision(scenario, field, setting.value);
      }
  for (const auto field : kPrecisionFields) {
    const Setting* setting = scenario.given("mixed_precision." + std::string(field));
    // What a recipe's own precision stood for is gone once the user names another.
    const bool replaced = setting != nullptr && setting->origin.source < 0 && named != nullptr && named->origin.source >= 0;
    if (setting != nullptr && !replaced && !setting->value.is_unknown()) copy_precision(scenario, field, setting->value);
  }
}

/// Anything in the section makes it exist; its one required field is tp_comm_overlap.
bool has_comm_overlap(const Scenario& scenario) {
  if (const Setting* whole = scenario.given("comm_overlap"); whole != nullptr && whole->value.is_null()) return false;
  const auto in_section = [](const Setting& setting) { return setting.key.starts_with("comm_overlap."); };
  const auto& settings = scenario.question().config.settings;
  if (std::any_of(settings.begin(), settings.end(), in_section)) return true;
  return scenario.recipe && std::any_of(scenario.recipe->settings.begin(), scenario.recipe->settings.end(), in_section);
}

void copy_overlap(Scenario& scenario) {
  if (!has_comm_overlap(scenario)) return;
  for (const auto& copied : kOverlapFields) {
    const Setting* setting = scenario.given(copied.from);
    if (setting != nullptr && !setting->value.is_null())
      scenario.derive(copied.to, setting->value);
    else if (copied.always)
      scenario.derive(copied.to, false);
  }
}

bool on(const Scenario& scenario, std::string_view key) { return scenario.current(key).truthy(); }

/// Either side switches both on; switching on both is also what Megatron-FSDP v1 does. Version 2 switches both off.
void sync_distributed_optimizer(Scenario& scenario) {
  const bool any_fsdp = on(scenario, "ddp.use_megatron_fsdp") || on(scenario, "dist.use_megatron_fsdp");
  const bool fsdp = any_fsdp && scenario.current("ddp.megatron_fsdp_version") != Value(2);
  if (any_fsdp && !fsdp) {
    for (const std::string_view key : {"ddp.use_distributed_optimizer", "optimizer.use_distributed_optimizer", "ddp.overlap_param_gather",
                                       "optimizer.overlap_param_gather", "ddp.overlap_grad_reduce"})
      scenario.derive(key, false);
    return;
  }
  for (const std::string field : {"use_distributed_optimizer", "overlap_param_gather"}) {
    if (!on(scenario, "ddp." + field) && !on(scenario, "optimizer." + field) && !(fsdp && field == "use_distributed_optimizer")) continue;
    scenario.derive("ddp." + field, true);
    scenario.derive("optimizer." + field, true);
  }
}

/// env_vars reach the process unless the shell already exports the variable, even as an empty string.
void apply_env_vars(Scenario& scenario) {
  const auto apply = [&](const Setting& setting) {
    const std::string name = setting.key.substr(std::string_view("env_vars.").size());
    if (scenario.env(name) == nullptr && !setting.value.is_null()) scenario.set_env(name, setting.value.str());
  };
  // The user's settings win over the recipe's, so they come first.
  const auto& settings = scenario.question().config.settings;
  for (auto setting = settings.rbegin(); setting != settings.rend(); ++setting)
    if (setting->key.starts_with("env_vars.")) apply(*setting);
  if (scenario.recipe)
    for (const auto& setting : scenario.recipe->settings)
      if (setting.key.starts_with("env_vars.")) apply(setting);
}

}  // namespace

bool is_mixed_precision_field(std::string_view field) {
  return std::find(std::begin(kPrecisionFields), std::end(kPrecisionFields), field) != std::end(kPrecisionFields);
}

void normalise_bridge(Scenario& scenario) {
  apply_env_vars(scenario);
  copy_mixed_precision(scenario);
  copy_overlap(scenario);
  sync_distributed_optimizer(scenario);
  const Value pipeline = scenario.current("model.pipeline_dtype");
  if (pipeline.is_null())
    scenario.derive("model.pipeline_dtype", scenario.current("model.params_dtype"), {"model.pipeline_dtype", "model.params_dtype"});
  const Value tensor = scenario.current("model.tensor_model_parallel_size");
  scenario.derive_if(tensor.integer() != nullptr && *tensor.integer() <= 1, "model.sequence_parallel", false,
                     {"model.tensor_model_parallel_size"});
}

}  // namespace spillway::validate
