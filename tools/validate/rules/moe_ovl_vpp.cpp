#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Megatron-LM has two options for it, and a pipeline layout may imply it; only Bridge's comm_overlap looks before the layout is read.
bool has_virtual_stages(const Facts& facts) {
  if (!facts.is_null("model.virtual_pipeline_model_parallel_size")) return true;
  if (facts.megatron_lm() &&
      (!facts.is_null("args.num_layers_per_virtual_pipeline_stage") || !facts.is_null("args.num_virtual_stages_per_pipeline_rank")))
    return true;
  return !overlap_from_comm_overlap(facts) && !facts.is_null("model.pipeline_model_parallel_layout");
}

}  // namespace

Rule moe_ovl_vpp() {
  return {
      .code = "MOE-OVL-VPP",
      .summary = "overlapping expert communication in a pipeline needs virtual pipeline stages",
      .raises =
          {{Place::kTransformerConfig, 3008, "AssertionError",
            "If enabling EP A2A overlap, virtual_pipeline_model_parallel_size must be specified when pipeline_model_parallel_size > 1"},
           {Place::kBridge,
            495,
            "AssertionError",
            "If enabling EP A2A overlap, virtual_pipeline_model_parallel_size must be specified when pipeline_model_parallel_size > 1",
            {Launcher::kBridge}}},
      .what =
          "overlap_moe_expert_parallel_comm is on, pipeline_model_parallel_size is above 1, and virtual_pipeline_model_parallel_size is "
          "not set. A pipeline_model_parallel_layout may set it, and is not judged here.",
      .why =
          "The schedule hides the communication of one model chunk behind the work of another, so a pipeline stage must have several. The "
          "configuration is refused when it is built; in Bridge already when comm_overlap is applied.",
      .remedy =
          "Set virtual_pipeline_model_parallel_size (Megatron-LM: --num-virtual-stages-per-pipeline-rank), use one pipeline stage, or "
          "switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.pipeline_model_parallel_size > 1: assert self.virtual_pipeline_model_parallel_size is not None"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap) || facts.integer("model.pipeline_model_parallel_size", 1) <= 1 || has_virtual_stages(facts))
              return;
            auto finding = report.add("overlap_moe_expert_parallel_comm is on with " +
                                      facts.value("model.pipeline_model_parallel_size").str() + " pipeline stages but no virtual stages");
            finding
                .keys({"model.virtual_pipeline_model_parallel_size", "model.pipeline_model_parallel_size", kExpertOverlap,
                       kExpertOverlapOfBridge})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
            if (overlap_from_comm_overlap(facts)) finding.raise(1);
          },
  };
}

}  // namespace spillway::validate::rules
