#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fsdp2_opt_bridge() {
  return {
      .code = "FSDP2-OPT-BRIDGE",
      .summary = "optimizer offload with torch's FSDP2 fails at the first step",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kStep, 342, "KeyError", ""}},
      .what = "Megatron-Bridge: dist.use_torch_fsdp2 and optimizer_cpu_offload are on, the distributed optimizer is off.",
      .why =
          "Nothing refuses the pair. As without FSDP, the 16-bit wrapper replaces the parameters by fp32 copies that the hybrid optimizer "
          "does not know; the first step ends in a KeyError that prints a tensor. By reading the code.",
      .remedy = "Offload with the distributed optimizer instead of FSDP2, or keep the optimizer on the GPU.",
      .evidence = {"megatron/core/optimizer/optimizer.py", "Float16OptimizerWithFloat16Params: param_group['params'][i] = main_param"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("dist.use_torch_fsdp2")) return;
            if (facts.on("optimizer.use_distributed_optimizer") || facts.on("optimizer.use_precision_aware_optimizer")) return;
            if (facts.off("optimizer.bf16") && facts.off("optimizer.fp16")) return;
            report.add("optimizer offload with torch's FSDP2 fails at the first step, with a KeyError that prints a tensor")
                .keys({"optimizer.optimizer_cpu_offload", "dist.use_torch_fsdp2"})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {set("optimizer.optimizer_cpu_offload", false)})
                .fix(Fix::Safety::kDisplayOnly, "shard with the distributed optimizer instead of FSDP2",
                     {set("dist.use_torch_fsdp2", false), set("optimizer.use_distributed_optimizer", true)});
          },
  };
}

}  // namespace spillway::validate::rules
