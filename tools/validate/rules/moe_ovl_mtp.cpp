#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

constexpr std::string_view kLayers = "model.mtp_num_layers";

/// Positions in Rule::raises.
enum : std::size_t { kOne, kAtMostOne, kPipeline };

void check_count(const Facts& facts, Report& report) {
  const auto layers = facts.number(kLayers);
  const bool zero_passes = facts.core() >= Core::k0_19;
  if (facts.is_null(kLayers) || (layers && (*layers == 1 || (zero_passes && *layers == 0)))) return;
  report.add("overlap_moe_expert_parallel_comm allows one multi-token prediction layer, not mtp_num_layers " + facts.value(kLayers).str())
      .keys({kLayers, kExpertOverlap, kExpertOverlapOfBridge})
      .raise(zero_passes ? kAtMostOne : kOne)
      .fix(Fix::Safety::kDisplayOnly, "predict one token more", {set(kLayers, 1)})
      .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
}

void check_pipeline(const Facts& facts, Report& report) {
  if (facts.core() < Core::k0_16 || facts.core() > Core::k0_17) return;
  if (facts.number(kLayers) != 1.0 || facts.integer("model.pipeline_model_parallel_size", 1) > 1) return;
  report.add("overlap_moe_expert_parallel_comm with a multi-token prediction layer needs more than one pipeline stage in this version")
      .keys({"model.pipeline_model_parallel_size", kLayers, kExpertOverlap, kExpertOverlapOfBridge})
      .raise(kPipeline)
      .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
}

}  // namespace

Rule moe_ovl_mtp() {
  return {
      .code = "MOE-OVL-MTP",
      .summary = "overlapping expert communication allows at most one multi-token prediction layer",
      .raises = {{.place = Place::kTransformerConfig,
                  .sequence = 3042,
                  .type = "AssertionError",
                  .text = "MTP layernum only supports 1 when enabling overlap_moe_expert_parallel_comm.",
                  .until = Core::k0_18},
                 {.place = Place::kTransformerConfig,
                  .sequence = 3042,
                  .type = "AssertionError",
                  .text = "MTP supports at most one layer when enabling overlap_moe_expert_parallel_comm.",
                  .since = Core::k0_19},
                 {.place = Place::kTransformerConfig,
                  .sequence = 3043,
                  .type = "AssertionError",
                  .text =
                      "Pipeline model parallel size must be larger than 1 when enabling overlap_moe_expert_parallel_comm with MTP layer.",
                  .since = Core::k0_16,
                  .until = Core::k0_17}},
      .what =
          "overlap_moe_expert_parallel_comm is on and mtp_num_layers is neither null nor 1 (since 0.19 also not 0). 0.16 and 0.17 also "
          "want more than one pipeline stage with such a layer.",
      .why = "The overlapping schedule knows one prediction layer. Megatron-Core refuses the configuration when it is built.",
      .remedy = "Set mtp_num_layers to 1 or null, or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.overlap_moe_expert_parallel_comm: assert self.mtp_num_layers in (None, 0, 1)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap)) return;
            check_count(facts, report);
            check_pipeline(facts, report);
          },
  };
}

}  // namespace spillway::validate::rules
