#include "tools/validate/delayed_wgrad.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dwg_fusion() {
  return {
      .code = "DWG-FUSION",
      .summary = "delayed weight gradients without fused accumulation need Transformer Engine 2.7",
      .stage = Stage::kArgs,
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_17,
      .raises = {{Place::kValidateArgs, 1930, "AssertionError",
                  "disabling gradient_accumulation_fusion is only supported with TE >= 2.7.0 when enabling delay_wgrad_compute"}},
      .what = "--delay-wgrad-compute and --no-gradient-accumulation-fusion are given, and Transformer Engine is older than 2.7.",
      .why = "Older versions hand a delayed gradient over only through the fused accumulation; Megatron-LM refuses the arguments.",
      .remedy = "Use Transformer Engine 2.7 or newer, keep the fusion, or drop --delay-wgrad-compute.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.delay_wgrad_compute: if not args.gradient_accumulation_fusion: assert is_te_min_version(\"2.7.0\")"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.te() >= Version{2, 7, 0} || !launcher_delays_wgrad(facts) || facts.on("model.gradient_accumulation_fusion")) return;
            report
                .add("delay_wgrad_compute without gradient_accumulation_fusion needs Transformer Engine 2.7.0, this is " + facts.te().str())
                .keys({"model.gradient_accumulation_fusion", kDelayedWgrad})
                .fix(Fix::Safety::kDisplayOnly, "do not delay weight gradients", {switch_off(facts, kDelayedWgrad)});
          },
  };
}

}  // namespace spillway::validate::rules
