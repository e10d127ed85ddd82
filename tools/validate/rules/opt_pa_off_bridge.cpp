#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_pa_off_bridge() {
  return {
      .code = "OPT-PA-OFF-BRIDGE",
      .summary = "without the precision-aware optimizer, offload saves 8 instead of 12 bytes per parameter",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .launchers = {Launcher::kBridge},
      .what =
          "Megatron-Bridge runs optimizer offload with use_precision_aware_optimizer off. That is legal here (Megatron-LM refuses it) and "
          "works with the distributed optimizer.",
      .why =
          "The fp32 main copy of each offloaded parameter stays on the GPU beside the one on the host, so 8 bytes per offloaded parameter "
          "are saved instead of 12. Loading weights and resuming take other paths too.",
      .remedy =
          "Set optimizer.use_precision_aware_optimizer together with optimizer.use_distributed_optimizer, when adam is the optimizer.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "param_update_in_fp32: an offloaded fp32 main shard keeps its tensor on the GPU; a 16-bit shard has its only fp32 "
                   "master on the host"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts) || facts.on("optimizer.use_precision_aware_optimizer") || !facts.is("optimizer.optimizer", "adam"))
              return;
            if (facts.off("optimizer.bf16") && facts.off("optimizer.fp16")) return;
            report
                .add(
                    "optimizer offload without use_precision_aware_optimizer keeps an fp32 copy of every offloaded parameter on the GPU: 8 "
                    "instead of 12 bytes saved per parameter")
                .keys({"optimizer.use_precision_aware_optimizer", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "use the precision-aware optimizer",
                     {set("optimizer.use_precision_aware_optimizer", true), set("optimizer.use_distributed_optimizer", true)});
          },
  };
}

}  // namespace spillway::validate::rules
