#include "tools/validate/delayed_wgrad.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dwg_overlap() {
  return {
      .code = "DWG-OVERLAP",
      .summary = "delayed weight gradients need the overlap of expert communication",
      .raises = {{Place::kTransformerConfig, 3075, "AssertionError",
                  "overlap_moe_expert_parallel_comm must be enabled when enabling delay_wgrad_compute"},
                 {Place::kBridge,
                  533,
                  "AssertionError",
                  "overlap_moe_expert_parallel_comm is required for delay_wgrad_compute",
                  {Launcher::kBridge}}},
      .what =
          "delay_wgrad_compute is on and overlap_moe_expert_parallel_comm is off. In Bridge a comm_overlap section overwrites both on the "
          "model.",
      .why =
          "Only the overlapping schedule runs the delayed weight gradients. The configuration is refused when it is built; in Bridge "
          "already when comm_overlap is applied.",
      .remedy = "Switch overlap_moe_expert_parallel_comm on as well, or delay_wgrad_compute off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.delay_wgrad_compute: assert self.overlap_moe_expert_parallel_comm"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kDelayedWgrad) || facts.on(kExpertOverlap)) return;
            const bool from_bridge = facts.bridge() && facts.on(kDelayedWgradOfBridge);
            auto finding = report.add("delay_wgrad_compute is on but overlap_moe_expert_parallel_comm is off");
            finding.keys({kDelayedWgrad, kDelayedWgradOfBridge, kExpertOverlap, kExpertOverlapOfBridge})
                .fix(Fix::Safety::kDisplayOnly, "do not delay weight gradients",
                     {switch_off(facts, from_bridge ? kDelayedWgradOfBridge : kDelayedWgrad)})
                .fix(Fix::Safety::kDisplayOnly, "overlap expert communication",
                     {set(from_bridge ? kExpertOverlapOfBridge : kExpertOverlap, true)});
            // comm_overlap asks for the model's own switch before it overwrites it.
            if (from_bridge && !facts.raw(kExpertOverlap).truthy()) finding.raise(1);
          },
  };
}

}  // namespace spillway::validate::rules
