#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

bool packs_offline(const Facts& facts) {
  const auto* whole = facts.setting("dataset.offline_packing_specs");
  if (whole != nullptr && whole->origin.source >= 0 && whole->value.is_null()) return false;
  return facts.given("dataset.offline_packing_specs.pad_cu_seqlens") || facts.given("dataset.offline_packing_specs.packed_sequence_size");
}

/// A keyword of the data set, or a field of those that have it.
bool pads_to_max_length(const Facts& facts) {
  const std::string_view key = "dataset.dataset_kwargs.pad_to_max_length";
  if (facts.given(key)) return facts.on(key);
  if (const auto* keywords = facts.value("dataset.dataset_kwargs").map())
    for (const auto& [name, value] : *keywords)
      if (name == "pad_to_max_length") return value.truthy();
  return facts.on("dataset.pad_to_max_length");
}

enum class Capture { kNothing, kModules, kAttention };

/// What graphs of training hold. The deprecated switches choose their implementation only later.
Capture captured(const Facts& facts) {
  const auto& graphs = facts.graphs();
  if (graphs.whole_iteration) return Capture::kAttention;
  if (!facts.is("model.cuda_graph_impl", "transformer_engine")) return Capture::kNothing;
  return graphs.modules.empty() || graphs.has("attn") ? Capture::kAttention : Capture::kModules;
}

}  // namespace

Rule cg_packing() {
  return {
      .code = "CG-PACKING",
      .summary = "CUDA graphs over packed sequences need static shapes",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1287, "ValueError", "offline_packing_specs.pad_cu_seqlens=True requires dataset pad_to_max_length=True."},
                 {Place::kBridge, 1297, "ValueError", "Offline packing with CUDA graphs requires dataset pad_to_max_length=True."},
                 {Place::kBridge, 1306, "ValueError",
                  "Packed attention CUDA graphs require offline_packing_specs.pad_cu_seqlens=True. Enable it for full-iteration, "
                  "whole-layer, or attention-scoped capture."}},
      .what =
          "The data set packs sequences offline and CUDA graphs are captured: of the full iteration, or by Transformer Engine. "
          "Every graph needs a fixed width of tokens, and one that holds attention a fixed number of sequence boundaries.",
      .why = "The configuration is refused. Fine-tuning recipes pack by default, so that switching any graph on over them ends here.",
      .remedy =
          "Set dataset.offline_packing_specs.pad_cu_seqlens and dataset_kwargs.pad_to_max_length, or capture nothing that holds "
          "attention.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "captures_packed_attention = full iteration, or transformer_engine with no modules or with attn: requires "
                   "pad_cu_seqlens"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!packs_offline(facts)) return;
            const bool boundaries = facts.on("dataset.offline_packing_specs.pad_cu_seqlens"), widths = pads_to_max_length(facts);
            if (boundaries && !widths)
              report.add("pad_cu_seqlens is on and the data set does not pad to its full length")
                  .keys({"dataset.dataset_kwargs", "dataset.offline_packing_specs.pad_cu_seqlens"})
                  .raise(0)
                  .fix(Fix::Safety::kDisplayOnly,
                       "pad packed sequences to their full length: dataset.dataset_kwargs.pad_to_max_length=true");
            const Capture capture = captured(facts);
            if (capture == Capture::kNothing) return;
            if (!widths)
              report.add("CUDA graphs over packed sequences need a data set that pads to its full length")
                  .keys({"dataset.dataset_kwargs", "model.cuda_graph_impl"})
                  .raise(1)
                  .fix(Fix::Safety::kDisplayOnly,
                       "pad packed sequences to their full length: dataset.dataset_kwargs.pad_to_max_length=true");
            if (capture == Capture::kAttention && !boundaries)
              report
                  .add(
                      "CUDA graphs that capture attention over packed sequences need pad_cu_seqlens, which makes the sequence boundaries "
                      "static")
                  .keys({"dataset.offline_packing_specs.pad_cu_seqlens", "model.cuda_graph_impl", "model.cuda_graph_modules"})
                  .raise(2)
                  .fix(Fix::Safety::kUnsafe, "pad the sequence boundaries", {set("dataset.offline_packing_specs.pad_cu_seqlens", true)});
          },
  };
}

}  // namespace spillway::validate::rules
