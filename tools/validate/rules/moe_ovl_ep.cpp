#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_ovl_ep() {
  return {
      .code = "MOE-OVL-EP",
      .summary = "overlapping expert communication needs expert parallelism",
      .raises = {{Place::kTransformerConfig, 3013, "AssertionError",
                  "overlap_moe_expert_parallel_comm is only supported with expert model parallelism"},
                 // Bridge applies comm_overlap before it validates anything, so these lines sort before those of validate.
                 {Place::kBridge, 474, "AssertionError", "", {Launcher::kBridge}}},
      .what = "overlap_moe_expert_parallel_comm is on and expert_model_parallel_size is 1.",
      .why =
          "Without expert parallelism there is no all-to-all to hide. The configuration is refused when it is built; in Bridge already "
          "when comm_overlap is applied.",
      .remedy = "Raise expert_model_parallel_size, or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.overlap_moe_expert_parallel_comm: assert self.expert_model_parallel_size > 1"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap) || facts.integer("model.expert_model_parallel_size", 1) > 1) return;
            auto finding = report.add("overlap_moe_expert_parallel_comm is on but expert_model_parallel_size is " +
                                      facts.value("model.expert_model_parallel_size").str());
            finding.keys({"model.expert_model_parallel_size", kExpertOverlap, kExpertOverlapOfBridge})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
            if (overlap_from_comm_overlap(facts)) finding.raise(1);
          },
  };
}

}  // namespace spillway::validate::rules
