#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_load_main() {
  return {
      .code = "CKPT-LOAD-MAIN",
      .summary = "masters are loaded from the checkpoint only without its optimizer state",
      .launchers = {Launcher::kBridge},
      .raises =
          {{Place::kBridge, 1406, "AssertionError", "load_main_params_from_ckpt must be used with load_optim=False", {Launcher::kBridge}}},
      .what = "load_main_params_from_ckpt is on and load_optim is not off.",
      .why = "The masters cannot come from the weights and from the optimizer state both: the configuration is refused.",
      .remedy = "Switch one of the two off.",
      .evidence = {"src/megatron/bridge/training/config.py", "if self.load_main_params_from_ckpt: assert not self.load_optim"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("checkpoint.load_main_params_from_ckpt") || facts.off("checkpoint.load_optim")) return;
            report.add("load_main_params_from_ckpt needs load_optim=false")
                .keys({"checkpoint.load_main_params_from_ckpt", "checkpoint.load_optim"})
                .fix(Fix::Safety::kDisplayOnly, "load no optimizer state", {switch_off(facts, "checkpoint.load_optim")})
                .fix(Fix::Safety::kDisplayOnly, "take the masters from the weights or the optimizer state",
                     {switch_off(facts, "checkpoint.load_main_params_from_ckpt")});
          },
  };
}

}  // namespace spillway::validate::rules
