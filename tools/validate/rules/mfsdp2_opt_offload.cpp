#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mfsdp2_opt_offload() {
  return {
      .code = "MFSDP2-OPT-OFFLOAD",
      .summary = "Megatron-FSDP version 2 does not offload the optimizer",
      .stage = Stage::kBuild,
      .since = Core::kBridgePin,
      .raises = {{Place::kBridge, 1485, "ValueError", "MFSDP V2 does not support optimizer CPU offload.", {Launcher::kBridge}},
                 {Place::kBuildOptimizer, 1057, "ValueError", "MFSDP v2 does not currently support optimizer CPU offload."}},
      .what = "optimizer_cpu_offload is on together with Megatron-FSDP in version 2.",
      .why =
          "Version 2 has an optimizer of its own that keeps its shards on the GPU. Megatron-Bridge refuses the configuration; elsewhere "
          "the run stops when the optimizer is built.",
      .remedy = "Offload with the distributed optimizer instead of FSDP, or keep the optimizer on the GPU.",
      .evidence = {"megatron/core/optimizer/fully_sharded_optimizer.py", "if config.optimizer_cpu_offload: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !uses_megatron_fsdp_v2(facts)) return;
            report.add("Megatron-FSDP version 2 does not support optimizer_cpu_offload")
                .keys({"optimizer.optimizer_cpu_offload", "ddp.megatron_fsdp_version", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
