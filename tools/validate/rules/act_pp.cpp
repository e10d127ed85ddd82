#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// One stage, without the settings that make sense with several only.
std::vector<Edit> one_stage(const Facts& facts) {
  std::vector<Edit> edits{set("model.pipeline_model_parallel_size", 1)};
  for (const std::string_view key : {"model.virtual_pipeline_model_parallel_size", "args.num_layers_per_virtual_pipeline_stage",
                                     "args.num_virtual_stages_per_pipeline_rank", "model.pipeline_model_parallel_layout"})
    if (facts.given(key) && !facts.is_null(key)) edits.push_back(clear(facts, key));
  if (facts.given("model.defer_embedding_wgrad_compute") && facts.on("model.defer_embedding_wgrad_compute"))
    edits.push_back(switch_off(facts, "model.defer_embedding_wgrad_compute"));
  return edits;
}

}  // namespace

Rule act_pp() {
  return {
      .code = "ACT-PP",
      .summary = "layer-level activation offload does not run with pipeline parallelism",
      .raises = {{Place::kTransformerConfig, 1892, "ValueError",
                  "Currently there is no support for Pipeline parallelism with CPU offloading"}},
      .what =
          "cpu_offloading is on and pipeline_model_parallel_size is greater than 1. Virtual pipelining implies a pipeline and is refused "
          "too.",
      .why =
          "Transformer Engine's layer-level offload assumes that all forwards of a micro-batch come before its backward; pipeline "
          "schedules interleave them. Megatron-Core refuses the combination when the model configuration is built.",
      .remedy =
          "Set pipeline_model_parallel_size to 1 and shard with tensor, context or expert parallelism instead; or keep the pipeline and "
          "use fine-grained activation offload, optimizer offload or recompute.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.cpu_offloading and self.pipeline_model_parallel_size > 1:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const auto stages = facts.integer("model.pipeline_model_parallel_size", 1);
            if (stages <= 1) return;
            report.add("layer-level activation offload (cpu_offloading) cannot run with " + std::to_string(stages) + " pipeline stages")
                .keys({"model.pipeline_model_parallel_size", "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "use one pipeline stage", one_stage(facts))
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off, and offload fine-grained or the optimizer instead",
                     no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
