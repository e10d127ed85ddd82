#include "tools/validate/delayed_wgrad.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dwg_impl() {
  return {
      .code = "DWG-IMPL",
      .summary = "delayed weight gradients need the transformer_engine implementation",
      .stage = Stage::kArgs,
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_17,
      .raises = {{Place::kValidateArgs, 1904, "AssertionError",
                  "Delaying wgrad compute is only supported with transformer_engine implementation"}},
      .what = "--delay-wgrad-compute is given and --transformer-impl is not transformer_engine.",
      .why =
          "Only Transformer Engine's layers can separate the weight gradient from the rest of backward; Megatron-LM refuses the arguments.",
      .remedy = "Use --transformer-impl transformer_engine, or drop --delay-wgrad-compute.",
      .evidence = {"megatron/training/arguments.py", "if args.delay_wgrad_compute: assert args.transformer_impl == 'transformer_engine'"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!launcher_delays_wgrad(facts) || facts.is("model.transformer_impl", "transformer_engine")) return;
            report.add("delay_wgrad_compute is on but transformer_impl is " + facts.value("model.transformer_impl").str())
                .keys({"model.transformer_impl", kDelayedWgrad})
                .fix(Fix::Safety::kDisplayOnly, "use Transformer Engine", {set("model.transformer_impl", "transformer_engine")})
                .fix(Fix::Safety::kDisplayOnly, "do not delay weight gradients", {switch_off(facts, kDelayedWgrad)});
          },
  };
}

}  // namespace spillway::validate::rules
