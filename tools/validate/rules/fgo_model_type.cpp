#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_model_type() {
  return {
      .code = "FGO-MODEL-TYPE",
      .summary = "only GPT and hybrid models offload fine-grained",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_16,
      .what = "fine_grained_activation_offloading is on in a Megatron-LM script whose model is neither GPT nor hybrid (bert, t5).",
      .why = "Only those two models start the offload manager. In others the offload scopes are accepted and do nothing.",
      .remedy = "Switch fine_grained_activation_offloading off.",
      .evidence = {"megatron/core/models/gpt/gpt_model.py",
                   "the model opens a chunk of the offload manager when fine_grained_activation_offloading is on"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.script() != "bert" && facts.script() != "t5") return;
            if (facts.off("model.fine_grained_activation_offloading")) return;
            report
                .add("fine-grained offload does nothing in a " + std::string(facts.script()) +
                     " model; only GPT and hybrid models start it")
                .keys({"model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kSafe, "switch fine-grained offload off",
                     {switch_off(facts, "model.fine_grained_activation_offloading")});
          },
  };
}

}  // namespace spillway::validate::rules
