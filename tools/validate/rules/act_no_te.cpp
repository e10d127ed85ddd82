#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_no_te() {
  return {
      .code = "ACT-NO-TE",
      .summary = "layer-level activation offload needs Transformer Engine",
      .raises = {{Place::kBuildModel, 320, "AssertionError", "CPU Offloading is enabled when TE is not present"}},
      .what = "cpu_offloading is on and Transformer Engine is stated to be absent (--te none).",
      .why = "The offload context is Transformer Engine's; the run stops when the model is built.",
      .remedy = "Install Transformer Engine, or recompute activations instead.",
      .evidence = {"megatron/core/transformer/transformer_block.py",
                   "if get_cpu_offload_context is None: assert not self.config.cpu_offloading"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.te_absent() || facts.off("model.cpu_offloading")) return;
            report.add("cpu_offloading needs Transformer Engine, and there is none")
                .keys({"model.cpu_offloading", "model.cpu_offloading_num_layers"})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
