#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

bool packs_offline(const Facts& facts) {
  const auto* whole = facts.setting("dataset.offline_packing_specs");
  if (whole != nullptr && whole->origin.source >= 0 && whole->value.is_null()) return false;
  return facts.given("dataset.offline_packing_specs.pad_cu_seqlens") || facts.given("dataset.offline_packing_specs.packed_sequence_size");
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
      .raises = {{Place::kBridge, 1306, "ValueError",
                  "Packed attention CUDA graphs require offline_packing_specs.pad_cu_seqlens=True. Enable it for full-iteration, "
                  "whole-layer, or attention-scoped capture."}},
      .what =
          "The data set packs sequences offline and CUDA graphs are captured: of the full iteration, or by Transformer Engine. A graph "
          "that holds attention needs a fixed number of sequence boundaries.",
      .why = "The configuration is refused. Fine-tuning recipes pack by default, so that switching any graph on over them ends here.",
      .remedy = "Set dataset.offline_packing_specs.pad_cu_seqlens, or capture nothing that holds attention.",
      .evidence =
          {"src/megatron/bridge/training/config.py",
           "captures_packed_attention = full iteration, or transformer_engine with no modules or with attn: requires pad_cu_seqlens"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!packs_offline(facts)) return;
            const bool boundaries = facts.on("dataset.offline_packing_specs.pad_cu_seqlens");
            if (captured(facts) == Capture::kAttention && !boundaries)
              report
                  .add(
                      "CUDA graphs that capture attention over packed sequences need pad_cu_seqlens, which makes the sequence boundaries "
                      "static")
                  .keys({"dataset.offline_packing_specs.pad_cu_seqlens", "model.cuda_graph_impl", "model.cuda_graph_modules"})
                  .fix(Fix::Safety::kUnsafe, "pad the sequence boundaries", {set("dataset.offline_packing_specs.pad_cu_seqlens", true)});
          },
  };
}

}  // namespace spillway::validate::rules
