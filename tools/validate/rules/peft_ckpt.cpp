#include "tools/validate/peft.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule peft_ckpt() {
  return {
      .code = "PEFT-CKPT",
      .summary = "adapters need the weights of a pretrained model",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1627, "AssertionError", "PEFT requires a pretrained checkpoint path"}},
      .what = "The peft section is there, and checkpoint.pretrained_checkpoint is null. The PEFT recipes leave it to the launch.",
      .why = "The configuration is refused.",
      .remedy = "Give the folder of the base model's checkpoint in Megatron's format.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "if self.peft is not None: assert self.checkpoint.pretrained_checkpoint is not None"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!uses_peft(facts) || !facts.is_null("checkpoint.pretrained_checkpoint")) return;
            report.add("adapters are trained on top of a pretrained model, and checkpoint.pretrained_checkpoint is not set")
                .keys({"checkpoint.pretrained_checkpoint", "peft.target_modules"})
                .fix(Fix::Safety::kDisplayOnly, "set checkpoint.pretrained_checkpoint to the folder of the base model's checkpoint");
          },
  };
}

}  // namespace spillway::validate::rules
