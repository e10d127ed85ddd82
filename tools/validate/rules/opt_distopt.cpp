#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_distopt() {
  return {
      .code = "OPT-DISTOPT",
      .summary = "optimizer offload in 16-bit training needs the distributed optimizer",
      .launchers = {Launcher::kBridge, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .raises = {{Place::kStep, 341, "KeyError", ""}},
      .what =
          "optimizer_cpu_offload is on, the distributed optimizer is off (in Megatron-Bridge: both ddp.use_distributed_optimizer and "
          "optimizer.use_distributed_optimizer), training is in bf16 or fp16, and no FSDP takes over.",
      .why =
          "Nothing checks this. The 16-bit optimizer wrapper replaces the parameters by fp32 copies that the hybrid optimizer does not "
          "know, and the first step ends in a KeyError that prints a tensor. By reading the code, and reported upstream.",
      .remedy = "Switch use_distributed_optimizer on.",
      .evidence = {"megatron/core/optimizer/optimizer.py", "Float16OptimizerWithFloat16Params: param_group['params'][i] = main_param"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.on("optimizer.use_distributed_optimizer")) return;
            if (facts.on("optimizer.use_precision_aware_optimizer")) return;  // refused earlier: PAO-DISTOPT
            if (facts.off("optimizer.bf16") && facts.off("optimizer.fp16")) return;
            if (!facts.is("optimizer.optimizer", "adam") && !facts.is("optimizer.optimizer", "sgd")) return;
            if (uses_fsdp(facts)) return;
            report
                .add("optimizer offload without the distributed optimizer fails at the first step of " +
                     std::string(facts.on("optimizer.bf16") ? "bf16" : "fp16") + " training, with a KeyError that prints a tensor")
                .keys({"optimizer.use_distributed_optimizer", "optimizer.optimizer_cpu_offload", "ddp.use_distributed_optimizer"})
                .fix(Fix::Safety::kUnsafe, "use the distributed optimizer", {set("optimizer.use_distributed_optimizer", true)})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
