#include "tools/validate/edits.hpp"
#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_ovl_shared() {
  return {
      .code = "MOE-OVL-SHARED",
      .summary = "overlapping expert communication excludes overlap of the shared experts",
      .raises = {{Place::kTransformerConfig, 3039, "AssertionError",
                  "disable moe_shared_expert_overlap when enabling overlap_moe_expert_parallel_comm"},
                 {Place::kBridge,
                  513,
                  "AssertionError",
                  "disable moe_shared_expert_overlap when enabling overlap_moe_expert_parallel_comm",
                  {Launcher::kBridge}}},
      .what = "overlap_moe_expert_parallel_comm and moe_shared_expert_overlap are both on.",
      .why =
          "Both hide the same communication, in different ways. The configuration is refused when it is built; in Bridge already when "
          "comm_overlap is applied.",
      .remedy = "Switch moe_shared_expert_overlap off, or the expert overlap.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.overlap_moe_expert_parallel_comm: assert not self.moe_shared_expert_overlap"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap) || facts.off("model.moe_shared_expert_overlap")) return;
            auto finding = report.add("moe_shared_expert_overlap and overlap_moe_expert_parallel_comm are both on");
            finding.keys({"model.moe_shared_expert_overlap", kExpertOverlap, kExpertOverlapOfBridge})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap the shared experts", {switch_off(facts, "model.moe_shared_expert_overlap")})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
            if (overlap_from_comm_overlap(facts)) finding.raise(1);
          },
  };
}

}  // namespace spillway::validate::rules
