#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mhc_exclusive() {
  return {
      .code = "MHC-EXCLUSIVE",
      .summary = "hyper connections exclude prediction layers, full recompute and pipelines",
      .since = Core::kMain,
      .raises = {{Place::kTransformerConfig, 2064, "ValueError",
                  "enable_mhc_connections is not compatible with Multi-Token Prediction (MTP). Please disable MTP (set "
                  "mtp_num_layers=None) when using hyper connections."},
                 {Place::kTransformerConfig, 2070, "NotImplementedError",
                  "enable_mhc_connections is not yet compatible with full activation recompute. Use selective recompute with 'mhc' in "
                  "recompute_modules, or disable activation recompute."},
                 {Place::kTransformerConfig, 2093, "NotImplementedError",
                  "enable_mhc_connections does not support pipeline_model_parallel_size > 1 yet. Inter-stage activations are n-stream ([s, "
                  "b, n*C]) while pipeline p2p buffers are sized from hidden_size, so the shapes disagree. Use "
                  "pipeline_model_parallel_size=1 until mHC pipeline support lands."}},
      .what = "enable_mhc_connections is on together with multi-token prediction layers, full recompute or more than one pipeline stage.",
      .why =
          "Megatron-Core refuses each when the model configuration is built. It matters to memory planning: of the recompute kinds only "
          "the selective one is left.",
      .remedy = "Use selective recompute with mhc among recompute_modules, one pipeline stage and no prediction layers.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.enable_mhc_connections: mtp_num_layers, recompute_granularity == 'full' and pipeline_model_parallel_size > 1 "
                   "are refused"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.enable_mhc_connections")) return;
            if (facts.on("model.mtp_num_layers"))
              report.add("hyper connections (enable_mhc_connections) do not run with multi-token prediction layers")
                  .keys({"model.mtp_num_layers", "model.enable_mhc_connections"})
                  .fix(Fix::Safety::kDisplayOnly, "train without prediction layers", {clear(facts, "model.mtp_num_layers")});
            if (facts.is("model.recompute_granularity", "full"))
              report.add("hyper connections (enable_mhc_connections) do not run with full recompute")
                  .raise(1)
                  .keys({"model.recompute_granularity", "model.enable_mhc_connections"})
                  .fix(Fix::Safety::kDisplayOnly, "switch recompute off", no_recompute(facts));
            if (facts.integer("model.pipeline_model_parallel_size", 1) > 1)
              report.add("hyper connections (enable_mhc_connections) do not run with several pipeline stages")
                  .raise(2)
                  .keys({"model.pipeline_model_parallel_size", "model.enable_mhc_connections"})
                  .fix(Fix::Safety::kDisplayOnly, "use one pipeline stage", {set("model.pipeline_model_parallel_size", 1)});
          },
  };
}

}  // namespace spillway::validate::rules
