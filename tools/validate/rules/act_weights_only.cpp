#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_weights_only() {
  return {
      .code = "ACT-WEIGHTS-ONLY",
      .summary = "offloading weights without activations breaks the first forward",
      .raises = {{Place::kForward, 1, "AttributeError", "'nullcontext' object has no attribute 'inside_context'"}},
      .what = "cpu_offloading and cpu_offloading_weights are on, cpu_offloading_activations is off.",
      .why =
          "Transformer Engine answers such a request with an empty context. Megatron-Core keeps it, and its own parallel linear layers, "
          "such as the output layer, ask it for a property that it does not have (derived from the code).",
      .remedy = "Switch cpu_offloading_activations on, or layer-level offload off; weights are not offloaded in any case.",
      .evidence = {"megatron/core/tensor_parallel/layers.py",
                   "if self.config._cpu_offloading_context is not None: if self.config._cpu_offloading_context.inside_context is True:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || facts.off("model.cpu_offloading_weights")) return;
            if (facts.on("model.cpu_offloading_activations")) return;
            report.add("cpu_offloading_weights without cpu_offloading_activations offloads nothing and stops in the first forward")
                .keys({"model.cpu_offloading_activations", "model.cpu_offloading_weights", "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "offload activations, not weights",
                     {set("model.cpu_offloading_activations", true), switch_off(facts, "model.cpu_offloading_weights")})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
