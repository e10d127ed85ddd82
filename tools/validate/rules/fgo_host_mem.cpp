#include "tools/validate/fine_grained.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_host_mem() {
  return {
      .code = "FGO-HOST-MEM",
      .summary = "offloaded experts take fresh page-locked memory, and the first iteration offloads everything",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .since = Core::k0_16,
      .what = "fine_grained_activation_offloading names expert_fc1, moe_act or fused_group_mlp.",
      .why =
          "These groups do not reuse the pinned pool (their shapes change with routing) but take new page-locked memory each time, rounded "
          "up to powers of two; and the first iteration ignores activation_offload_fraction and every margin. Host memory must hold that, "
          "for every rank of the node.",
      .remedy =
          "Leave headroom on the host, or raise min_offloaded_tensor_size (in elements); Bridge's Nemotron-H performance recipes set "
          "350000000 to stay clear of host out-of-memory.",
      .evidence = {"megatron/core/pipeline_parallel/fine_grained_activation_offload.py",
                   "MoE groups allocate their pinned buffers outside the pool"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto named = offloaded_in_experts(facts);
            if (named.empty() || !has_grouped_experts(facts)) return;
            report
                .add("offloading " + enumerated(named) +
                     " takes fresh page-locked host memory at each use, and the first iteration offloads all of it on every rank of the "
                     "node")
                .keys({"model.offload_modules", "model.min_offloaded_tensor_size"});
          },
  };
}

}  // namespace spillway::validate::rules
