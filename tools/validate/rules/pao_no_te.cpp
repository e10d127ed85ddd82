#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pao_no_te() {
  return {
      .code = "PAO-NO-TE",
      .summary = "the precision-aware optimizer needs Transformer Engine",
      .raises = {{Place::kOptimizerConfig, 463, "RuntimeError",
                  "--use-precision-aware-optimizer requires FusedAdam from TransformerEngine, but not found."}},
      .what =
          "use_precision_aware_optimizer is on without optimizer offload, and Transformer Engine is stated to be absent (--te none). With "
          "the offload the check is skipped.",
      .why = "The reduced state types exist only in Transformer Engine's FusedAdam; the configuration is refused.",
      .remedy = "Install Transformer Engine, or switch the precision-aware optimizer off.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "try: from transformer_engine.pytorch.optimizers import FusedAdam except ImportError: raise RuntimeError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.te_absent() || facts.off("optimizer.use_precision_aware_optimizer")) return;
            if (facts.on("optimizer.optimizer_cpu_offload")) return;
            report.add("use_precision_aware_optimizer needs Transformer Engine's FusedAdam, and there is no Transformer Engine")
                .keys({"optimizer.use_precision_aware_optimizer"})
                .fix(Fix::Safety::kDisplayOnly, "switch the precision-aware optimizer off",
                     {set("optimizer.use_precision_aware_optimizer", false)});
          },
  };
}

}  // namespace spillway::validate::rules
