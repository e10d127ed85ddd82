#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pao_adam() {
  return {
      .code = "PAO-ADAM",
      .summary = "the precision-aware optimizer exists for adam only",
      .raises = {{Place::kOptimizerConfig, 434, "AssertionError", "--use-precision-aware-optimizer only supported with adam"}},
      .what = "use_precision_aware_optimizer is on and the optimizer is not exactly adam.",
      .why = "The configuration is refused.",
      .remedy = "Use adam, or switch the precision-aware optimizer off. Megatron-LM then cannot offload the optimizer.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "if self.use_precision_aware_optimizer: assert self.optimizer == 'adam'"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.use_precision_aware_optimizer") || facts.is("optimizer.optimizer", "adam")) return;
            report.add("use_precision_aware_optimizer works with adam only, not with " + facts.value("optimizer.optimizer").repr())
                .keys({"optimizer.optimizer", "optimizer.use_precision_aware_optimizer"})
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")})
                .fix(Fix::Safety::kDisplayOnly, "switch the precision-aware optimizer off",
                     {set("optimizer.use_precision_aware_optimizer", false)});
          },
  };
}

}  // namespace spillway::validate::rules
