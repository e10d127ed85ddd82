#include "tools/validate/not_static.hpp"

namespace spillway::validate {
namespace {

constexpr std::string_view kOffload = "transformer_engine/pytorch/cpu_offload.py";
constexpr std::string_view kFineGrained = "megatron/core/pipeline_parallel/fine_grained_activation_offload.py";

Raise at_forward(std::string_view type, std::string_view text) { return {Place::kForward, 0, type, text}; }

/// States of Transformer Engine's layer-level offload that come about while a run goes.
std::vector<Rule> layer_level() {
  return {
      {.code = "ACT-CONTEXT-STATE",
       .summary = "the layer-level offload context got out of step",
       .stage = Stage::kForward,
       .raises = {at_forward("RuntimeError", "Offloading context was entered without synchronization function being called."),
                  at_forward("RuntimeError", "Synchronization function was called without offloading context being entered."),
                  at_forward("RuntimeError", "synchronization_function called but no layer has been set via __enter__. inside_context={}"),
                  at_forward("RuntimeError", "Invalid state: {} for {}, must be one of [{}]"),
                  at_forward("RuntimeError",
                             "Tensor at index {} must be contiguous for CPU offloading, but got non-contiguous tensor "
                             "with shape={}"),
                  at_forward("RuntimeError",
                             "Expected state='reload_started' when popping an offloaded tensor, but got state='{}' for "
                             "tensor={}")},
       .what = "Not checked by validate: no setting shows in which order layers run. The settings known to bring it about (pipelines, "
               "recompute, overlapping schedules) have rules of their own.",
       .why = "Transformer Engine counts on every layer running once forward inside the context, then backward. A layer that is entered "
              "again, recomputed inside the context, or run twice before its backward breaks the count.",
       .remedy = "Look for recompute or a schedule that runs layers out of order; use fine-grained offload with it instead.",
       .evidence = {kOffload, "OffloadableLayerState and OffloadSynchronizer raise on unexpected states"}},
      {.code = "ACT-NONCONTIG",
       .summary = "a tensor that is not contiguous stays on the GPU",
       .severity = Severity::kInfo,
       .stage = Stage::kForward,
       .raises = {at_forward("UserWarning",
                             "Tried to offload non-contiguous tensor, which is not supported. Offload of this tensor will be "
                             "skipped.")},
       .what = "Not checked by validate: the layout of saved tensors follows from the model's code, not from a setting.",
       .why = "Such tensors are skipped with a warning, so that less memory is freed than planned.",
       .remedy = "Nothing, unless the warning names large tensors: then the module that makes them should make them contiguous.",
       .evidence = {kOffload, "if not tensor.is_contiguous(): warnings.warn(…)"}},
      {.code = "ACT-TE-ALL-LAYERS",
       .summary = "Transformer Engine does not offload the last layer",
       .stage = Stage::kBuild,
       .raises = {{Place::kBuildModel, 0, "ValueError",
                   "Cannot offload all layers without manual synchronization - last layer is not offloaded. Got num_layers={}, "
                   "model_layers={}."}},
       .what =
           "Not checked by validate: Megatron-Core's own check of the same two numbers (ACT-NUM-LAYERS) refuses them earlier. The message "
           "can only come from code that makes Transformer Engine's context itself.",
       .why =
           "The last layer's activations are needed at once. Before Transformer Engine 2.14 it is an AssertionError with a shorter text.",
       .remedy = "Offload at most all layers but one; all but two leave something to overlap with.",
       .evidence = {kOffload, "if enabled and num_layers > model_layers - 1: raise ValueError"}},
  };
}

/// States of the fine-grained manager that come about while a run goes.
std::vector<Rule> fine_grained() {
  return {
      {.code = "FGO-RUNTIME-ASSERTS",
       .summary = "the fine-grained offload manager lost track of its chunks",
       .stage = Stage::kForward,
       .raises = {at_forward("AssertionError", "All stages must have same chunk count"),
                  at_forward("AssertionError", "Cached chunks forward and backward must have the same length"),
                  at_forward("AssertionError", "Chunk not found in cached chunks backward"),
                  at_forward("AssertionError", "Offload margin is not 0"), at_forward("AssertionError", "No non-empty chunk found"),
                  at_forward("AssertionError", "Must be inside offload context"),
                  at_forward("AssertionError", "Group {} is not pending offload"),
                  at_forward("AssertionError", "Group {} not found in [{}]"), at_forward("AssertionError", "Chunk mismatch {} {}")},
       .what =
           "Not checked by validate: whether a schedule runs forwards and backwards in the order the manager derives shows only while it "
           "runs. Full recompute, which is known to disturb it, has a rule of its own.",
       .why = "The manager pairs each micro-batch of a virtual stage with its backward from the order of the first iteration; a schedule "
              "that changes the order, or skips a stage, breaks the pairs.",
       .remedy = "Use selective recompute, equal stages and a constant number of micro-batches.",
       .evidence = {kFineGrained, "assertions of PipelineOffloadManager"}},
      {.code = "FGO-DUPLICATE",
       .summary = "one tensor is copied to the host more than once",
       .severity = Severity::kWarning,
       .stage = Stage::kForward,
       .raises = {at_forward("WARNING",
                             "Fine-grained activation offloading is copying the same tensor storage to CPU more than once within "
                             "an offload group, wasting host memory and PCIe bandwidth (rank {}, {}: {} redundant copies, {} MB, "
                             "{}). Offloading proceeds with the duplicated copies.")},
       .what = "Not checked by validate: which saved tensors share storage is seen at the end of the first iteration. On main only.",
       .why = "Each copy takes host memory and transfer time; the result is right.",
       .remedy = "Offload fewer modules that save the same input, e.g. not qkv_linear beside attn_norm.",
       .evidence = {kFineGrained, "the manager counts copies of one storage and warns once"}},
  };
}

std::vector<Rule> optimizer() {
  return {
      {.code = "OPT-OVERRIDE",
       .summary = "optimizer offload cannot differ between parameters",
       .stage = Stage::kBuild,
       .raises = {{Place::kBuildOptimizer, 0, "ValueError", "Field {} should not be overriden in a config override."}},
       .what = "Not checked by validate: overrides per parameter are objects of the launcher's code (in Megatron-Bridge an "
               "optimizer_config_override_provider), which no configuration text spells out.",
       .why =
           "optimizer, optimizer_cpu_offload and overlap_param_gather_with_optimizer_step hold for the whole optimizer; an override with "
           "another value stops the run when the optimizer is built.",
       .remedy = "Leave these fields out of overrides; use the fraction to offload a part.",
       .evidence = {"megatron/core/optimizer/__init__.py", "if getattr(override, field) != getattr(config, field): raise ValueError"}},
      {.code = "OPT-STALE-GRAD",
       .summary = "a parameter that stops getting gradients keeps its last one on the host",
       .severity = Severity::kWarning,
       .stage = Stage::kStep,
       .what =
           "Not checked by validate: whether a parameter loses its gradient shows only while the run goes. It needs conditional layers or "
           "parameters that are frozen later. By reading the code.",
       .why =
           "The copy on the host keeps the old gradient tensor attached, and the optimizer goes on stepping with it: the parameter drifts.",
       .remedy = "Freeze such parameters from the start, or keep the optimizer on the GPU.",
       .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                    "when a gradient is None only requires_grad of the CPU copy is cleared"}},
  };
}

}  // namespace

std::vector<Rule> not_static() {
  std::vector<Rule> pages = layer_level();
  for (auto* more : {&fine_grained, &optimizer})
    for (auto& page : (*more)()) pages.push_back(std::move(page));
  return pages;
}

}  // namespace spillway::validate
