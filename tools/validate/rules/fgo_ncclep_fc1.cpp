#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_ncclep_fc1() {
  return {
      .code = "FGO-NCCLEP-FC1",
      .summary = "expert_fc1 cannot be offloaded when expert communication overlaps through ncclep",
      .since = Core::kBridgePin,
      .raises = {{Place::kTransformerConfig, 3054, "AssertionError",
                  "overlap_moe_expert_parallel_comm with ncclep does not support offloading 'expert_fc1': it forces expert FC1 to save the "
                  "raw bf16 input, which the overlap path eagerly frees."}},
      .what =
          "overlap_moe_expert_parallel_comm is on with moe_token_dispatcher_type flex and moe_flex_dispatcher_backend ncclep, and "
          "fine-grained offload names expert_fc1.",
      .why =
          "Offloading expert_fc1 makes the first expert GEMM keep its bf16 input, which the overlapping schedule has already freed. "
          "Megatron-Core refuses the combination when the model configuration is built.",
      .remedy = "Offload moe_act instead of expert_fc1, use the hybridep back-end, or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert not (self.fine_grained_activation_offloading and 'expert_fc1' in (self.offload_modules or []))"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.overlap_moe_expert_parallel_comm") || facts.off("model.fine_grained_activation_offloading")) return;
            if (!facts.is("model.moe_token_dispatcher_type", "flex") || !facts.is("model.moe_flex_dispatcher_backend", "ncclep")) return;
            if (!facts.offloads("expert_fc1")) return;
            report.add("expert_fc1 is offloaded while expert communication overlaps through ncclep, which frees its input early")
                .keys({"model.offload_modules", "model.moe_flex_dispatcher_backend", "model.overlap_moe_expert_parallel_comm"})
                .fix(Fix::Safety::kDisplayOnly, "do not offload expert_fc1", without_offload_of(facts, {"expert_fc1"}))
                .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication",
                     {switch_off(facts, "model.overlap_moe_expert_parallel_comm")});
          },
  };
}

}  // namespace spillway::validate::rules
