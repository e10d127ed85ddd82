#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_ovl_dispatcher() {
  return {
      .code = "MOE-OVL-DISPATCHER",
      .summary = "overlapping expert communication needs the alltoall or flex dispatcher",
      .raises = {{Place::kTransformerConfig, 3016, "AssertionError",
                  "overlap_moe_expert_parallel_comm is supported with alltoall/flex token dispatcher"},
                 // The blanks are upstream's: a line continuation inside the string.
                 {Place::kBridge, 481, "AssertionError", "", {Launcher::kBridge}}},
      .what = "overlap_moe_expert_parallel_comm is on and moe_token_dispatcher_type is allgather, which is the default of Megatron-Core.",
      .why =
          "The overlapping schedule splits dispatch and combine, which only these dispatchers can do. The configuration is refused when it "
          "is "
          "built; in Bridge already when comm_overlap is applied.",
      .remedy = "Set moe_token_dispatcher_type to alltoall or flex, or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.overlap_moe_expert_parallel_comm: assert self.moe_token_dispatcher_type in ['alltoall', 'flex']"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap)) return;
            if (facts.is("model.moe_token_dispatcher_type", "alltoall") || facts.is("model.moe_token_dispatcher_type", "flex")) return;
            const auto type = facts.value("model.moe_token_dispatcher_type").str();
            auto finding = report.add("overlap_moe_expert_parallel_comm is on but moe_token_dispatcher_type is " + type);
            finding.keys({"model.moe_token_dispatcher_type", kExpertOverlap, kExpertOverlapOfBridge})
                .fix(Fix::Safety::kDisplayOnly, "dispatch with alltoall", {set("model.moe_token_dispatcher_type", "alltoall")})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
            if (overlap_from_comm_overlap(facts)) finding.raise(1, {type});
          },
  };
}

}  // namespace spillway::validate::rules
