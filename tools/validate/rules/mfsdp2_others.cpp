#include "base/text.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Positions in Rule::raises.
enum : std::size_t {
  kDistOptArgs = 0,
  kDistOptBuild,
  kEmergingBuild,
  kPrecision,
  kParamsDtype,
  kParallel,
  kExperts,
  kChunks,
  kSave,
  kPretrained,
  kClip,
  kPrecisionAware,
  kLayerWise,
  kOptimizerGraph,
  kEightBit,
  kGraphs,
};

/// What MFSDP V2 does not do, one switch a refusal; the order is upstream's.
struct Refusal {
  std::size_t raise;
  std::string_view key;
  std::string_view what;
};
constexpr Refusal kAfterOffload[] = {
    {kLayerWise, "optimizer.use_layer_wise_distributed_optimizer", "the layer-wise distributed optimizer"},
    {kOptimizerGraph, "optimizer.optimizer_cuda_graph", "CUDA graphs of the optimizer"},
};

void refuse(const Facts& facts, Report& report, std::size_t raise, const std::string& what, std::string_view key,
            std::initializer_list<std::string> values = {}) {
  auto finding = report.add("Megatron-FSDP version 2 does not support " + what);
  finding.keys({key, "ddp.megatron_fsdp_version", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
      .raise(raise, values)
      .fix(Fix::Safety::kDisplayOnly, "use version 1", {set("ddp.megatron_fsdp_version", 1)});
  if (raise != kPrecision && facts.value(key) == config::Value(true))
    finding.fix(Fix::Safety::kDisplayOnly, "switch it off", {set(key, false)});
}

template <std::size_t N>
void refuse_switches(const Facts& facts, Report& report, const Refusal (&refusals)[N]) {
  for (const auto& refusal : refusals)
    if (facts.on(refusal.key)) refuse(facts, report, refusal.raise, std::string(refusal.what), refusal.key);
}

/// `tensor_model_parallel_size=4, context_parallel_size=2`
std::string parallel_settings(const Facts& facts) {
  std::vector<std::string> settings;
  for (const std::string name :
       {"tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size", "expert_model_parallel_size"})
    if (facts.integer("model." + name, 1) != 1) settings.push_back(name + "=" + facts.value("model." + name).str());
  return join(settings, ", ");
}

void check_model(const Facts& facts, Report& report) {
  if (facts.off("model.bf16") || facts.on("model.fp16") || facts.off("optimizer.bf16") || facts.on("optimizer.fp16"))
    refuse(facts, report, kPrecision, "anything but bf16 training", "model.bf16");
  if (facts.dtype("model.params_dtype") != "bfloat16")
    refuse(facts, report, kParamsDtype, "parameters of type " + facts.dtype("model.params_dtype"), "model.params_dtype");
  if (const std::string settings = parallel_settings(facts); !settings.empty())
    refuse(facts, report, kParallel, "anything but data parallelism (" + settings + ")", "model.tensor_model_parallel_size", {settings});
  if (!facts.is_null("model.num_moe_experts")) refuse(facts, report, kExperts, "MoE models", "model.num_moe_experts");
  if (!facts.is_null("model.virtual_pipeline_model_parallel_size"))
    refuse(facts, report, kChunks, "several model chunks", "model.virtual_pipeline_model_parallel_size");
}

void check_checkpoints(const Facts& facts, Report& report) {
  const bool saves = !facts.is_null("checkpoint.save"), loads = !facts.is_null("checkpoint.load");
  if (saves || loads) refuse(facts, report, kSave, "saving and loading checkpoints", saves ? "checkpoint.save" : "checkpoint.load");
  if (!facts.is_null("checkpoint.pretrained_checkpoint"))
    refuse(facts, report, kPretrained, "loading checkpoints", "checkpoint.pretrained_checkpoint");
}

void check_optimizer(const Facts& facts, Report& report) {
  if (facts.on("optimizer.clip_grad")) refuse(facts, report, kClip, "gradient clipping", "optimizer.clip_grad");
  if (facts.on("optimizer.use_precision_aware_optimizer"))
    refuse(facts, report, kPrecisionAware, "the precision-aware optimizer", "optimizer.use_precision_aware_optimizer");
}

void check_eight_bit(const Facts& facts, Report& report) {
  for (const std::string_view key : {"model.fp8", "model.fp4", "ddp.fp8_param_gather", "ddp.fp4_param_gather"})
    if (facts.on(key)) return refuse(facts, report, kEightBit, "FP8 or FP4", key);
}

void check_bridge(const Facts& facts, Report& report) {
  check_model(facts, report);
  check_checkpoints(facts, report);
  check_optimizer(facts, report);
  refuse_switches(facts, report, kAfterOffload);
  check_eight_bit(facts, report);
  if (facts.graphs().any()) refuse(facts, report, kGraphs, "CUDA graphs", "model.cuda_graph_impl");
}

/// Megatron-LM refuses the distributed optimizer in the arguments, plain core when the optimizer is built.
void check_core(const Facts& facts, Report& report) {
  if (facts.raw("optimizer.use_distributed_optimizer").truthy())
    refuse(facts, report, facts.megatron_lm() ? kDistOptArgs : kDistOptBuild, "use_distributed_optimizer",
           "optimizer.use_distributed_optimizer");
  if (is_emerging(facts.text("optimizer.optimizer")) && !facts.megatron_lm())
    refuse(facts, report, kEmergingBuild, "emerging optimizers", "optimizer.optimizer");
}

}  // namespace

Rule mfsdp2_others() {
  constexpr Launchers bridge{Launcher::kBridge};
  return {
      .code = "MFSDP2-OTHERS",
      .summary = "Megatron-FSDP version 2 runs plain data-parallel bf16 training and little else",
      .since = Core::kBridgePin,
      .raises = {{Place::kValidateArgs,
                  1125,
                  "AssertionError",
                  "--megatron-fsdp-version 2 is not compatible with --use-distributed-optimizer",
                  {Launcher::kMegatronLm}},
                 {Place::kBuildOptimizer, 1056, "ValueError", "MFSDP v2 currently requires use_distributed_optimizer=False."},
                 {Place::kBuildOptimizer, 759, "NotImplementedError", "MFSDP v2 with emerging optimizers is not currently validated."},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 requires BF16 training (model.bf16=True and optimizer.bf16=True).", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 requires model.params_dtype=torch.bfloat16.", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 currently supports DP-only training; unsupported settings: {}", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 does not currently support MoE models.", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 does not currently support multiple model chunks.", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 checkpoint save and load are not yet supported.", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 checkpoint loading is not yet supported.", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 does not currently support gradient clipping.", bridge},
                 {Place::kBridge, 1484, "ValueError", "MFSDP V2 does not support precision-aware optimizer.", bridge},
                 {Place::kBridge, 1486, "ValueError", "MFSDP V2 does not support layer-wise distributed optimizer.", bridge},
                 {Place::kBridge, 1486, "ValueError", "MFSDP V2 does not support optimizer CUDA graphs.", bridge},
                 {Place::kBridge, 1486, "ValueError", "MFSDP V2 does not support FP8 or FP4.", bridge},
                 {Place::kBridge, 1486, "ValueError", "MFSDP V2 does not support CUDA graphs.", bridge}},
      .what =
          "megatron_fsdp_version is 2. Megatron-Bridge then takes bf16 only, no parallelism but the data one, no experts, no virtual "
          "stages, no checkpoints, no gradient clipping, no precision-aware or layer-wise optimizer, no 8-bit and no CUDA graphs; "
          "Megatron-LM and plain core refuse the distributed optimizer.",
      .why = "Version 2 is experimental and owns its shards itself; each of these is refused before the model is built, or while it is.",
      .remedy = "Use version 1 unless the run is as plain as that.",
      .evidence = {"src/megatron/bridge/training/config.py", "_validate_and_apply_megatron_fsdp_v2_configs"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!uses_megatron_fsdp_v2(facts)) return;
            if (facts.bridge())
              check_bridge(facts, report);
            else
              check_core(facts, report);
          },
  };
}

}  // namespace spillway::validate::rules
