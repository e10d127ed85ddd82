#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_ovl_dt() {
  return {
      .code = "MOE-OVL-DT",
      .summary = "overlapping expert communication needs a bf16 or fp16 model",
      .raises = {{Place::kTransformerConfig, 3035, "AssertionError",
                  "overlap_moe_expert_parallel_comm is only supported with bf16 or fp16 model"},
                 {Place::kBridge, 486, "AssertionError", "", {Launcher::kBridge}}},
      .what = "overlap_moe_expert_parallel_comm is on and the model is neither bf16 nor fp16.",
      .why =
          "The overlapping schedule exists for 16-bit models only. The configuration is refused when it is built; in Bridge already when "
          "comm_overlap is applied.",
      .remedy = "Train in bf16 (Megatron-LM: --bf16; Bridge: mixed_precision=bf16_mixed), or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.overlap_moe_expert_parallel_comm: assert self.bf16 or self.fp16"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap) || facts.on("model.bf16") || facts.on("model.fp16")) return;
            auto finding = report.add("overlap_moe_expert_parallel_comm is on but the model is fp32 (bf16 and fp16 are off)");
            finding.keys({"model.bf16", "model.fp16", kExpertOverlap, kExpertOverlapOfBridge})
                .fix(Fix::Safety::kDisplayOnly, "train in bf16", {set("model.bf16", true)})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
            if (overlap_from_comm_overlap(facts)) finding.raise(1);
          },
  };
}

}  // namespace spillway::validate::rules
