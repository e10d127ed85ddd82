#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_nothing_to_offload() {
  return {
      .code = "ACT-NOTHING-TO-OFFLOAD",
      .summary = "activation and weight offload are both off, which Transformer Engine refuses",
      .raises = {{Place::kBuildModel, 821, "ValueError",
                  "CPU Offloading is enabled while it is not mentioned what to offload (weights/activations)"}},
      .what =
          "cpu_offloading_activations and cpu_offloading_weights are both off while cpu_offloading is on. On Transformer Engine's older "
          "path (before 2.10, or NVTE_CPU_OFFLOAD_V1=1) also while it is off, because that path checks before it looks at the switch.",
      .why = "The offload context is made for every transformer block; it stops the run when the model is built.",
      .remedy = "Leave cpu_offloading_activations at its default, true.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "if not offload_weights and not offload_activations: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.on("model.cpu_offloading_activations") || facts.on("model.cpu_offloading_weights")) return;
            const bool on = facts.on("model.cpu_offloading");
            if (!on && !offload_path_is_v1(facts)) return;
            report
                .add(std::string("cpu_offloading_activations and cpu_offloading_weights are both off") +
                     (on ? ", so that cpu_offloading has nothing to offload"
                         : "; Transformer Engine's older offload path refuses that even with cpu_offloading off"))
                .keys({"model.cpu_offloading_activations", "model.cpu_offloading_weights", "model.cpu_offloading"})
                .fix(on ? Fix::Safety::kDisplayOnly : Fix::Safety::kSafe, "leave activation offload at its default, on",
                     {set("model.cpu_offloading_activations", true)});
          },
  };
}

}  // namespace spillway::validate::rules
