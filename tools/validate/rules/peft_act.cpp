#include "tools/validate/peft.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule peft_act() {
  return {
      .code = "PEFT-ACT",
      .summary = "layer-level offload under adapters",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .launchers = {Launcher::kBridge},
      .what = "cpu_offloading in a run that trains adapters (PEFT).",
      .why =
          "The offload hooks the backward of each layer's output, which exists from the first layer with an adapter on; adapters in all "
          "layers are what makes it work. The frozen weights, which take most of the memory, stay where they are.",
      .remedy = "Nothing to do when the adapters are in every layer; see ACT-FROZEN-LAYERS otherwise.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "synchronization_function: the tensor has to require grad"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || !uses_peft(facts)) return;
            report
                .add(
                    "under adapters cpu_offloading needs one in layer 0: only layers whose output carries a gradient can be offloaded, and "
                    "the frozen weights never are")
                .keys({"model.cpu_offloading", "peft.target_modules"});
          },
  };
}

}  // namespace spillway::validate::rules
