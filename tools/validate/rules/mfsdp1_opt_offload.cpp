#include "tools/validate/edits.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mfsdp1_opt_offload() {
  return {
      .code = "MFSDP1-OPT-OFFLOAD",
      .summary = "Megatron-FSDP version 1 has no path for an offloaded optimizer",
      .stage = Stage::kStep,
      .what = "optimizer_cpu_offload is on together with Megatron-FSDP in version 1.",
      .why =
          "Nothing refuses the pair, but the distributed optimizer leaves its own set-up early under FSDP, so the hybrid optimizer stays "
          "on the sharded DTensors: page-locking them fails, and Megatron-Bridge's synchronisation after loading misses an attribute. By "
          "reading the code, and reported upstream.",
      .remedy = "Offload with the distributed optimizer instead of FSDP, or keep the optimizer on the GPU; FSDP shards its state anyway.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py", "if self.ddp_config.use_megatron_fsdp: return"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            if (!uses_megatron_fsdp(facts) || uses_megatron_fsdp_v2(facts)) return;
            auto finding = report.add("optimizer_cpu_offload has no working path under Megatron-FSDP version 1, and nothing refuses it");
            finding.keys({"optimizer.optimizer_cpu_offload", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {switch_off(facts, "optimizer.optimizer_cpu_offload")});
            std::vector<Edit> without;
            for (const std::string_view key : {"ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
              if (facts.on(key)) without.push_back(switch_off(facts, key));
            without.push_back(set("optimizer.use_distributed_optimizer", true));
            finding.fix(Fix::Safety::kDisplayOnly, "shard with the distributed optimizer instead of FSDP", std::move(without));
          },
  };
}

}  // namespace spillway::validate::rules
