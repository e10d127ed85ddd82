#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_fsdp() {
  return {
      .code = "ACT-FSDP",
      .summary = "layer-level offload runs together with Megatron-FSDP",
      .severity = Severity::kInfo,
      .what = "cpu_offloading is on together with Megatron-FSDP.",
      .why =
          "Nothing refuses the two, and Megatron-Bridge's own performance recipes for Llama 3 70B and Llama 3.1 405B combine them on one "
          "pipeline stage with 5 to 40 offloaded layers.",
      .remedy = "Keep pipeline_model_parallel_size at 1.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "no check of cpu_offloading looks at FSDP"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const bool ddp = facts.on("ddp.use_megatron_fsdp");
            if (!ddp && facts.off("dist.use_megatron_fsdp")) return;
            report.add("cpu_offloading with Megatron-FSDP is allowed; upstream's own performance recipes combine them")
                .keys({"model.cpu_offloading", ddp ? "ddp.use_megatron_fsdp" : "dist.use_megatron_fsdp"});
          },
  };
}

}  // namespace spillway::validate::rules
