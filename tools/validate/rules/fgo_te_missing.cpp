#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_te_missing() {
  return {
      .code = "FGO-TE-MISSING",
      .summary = "fine-grained activation offload needs Transformer Engine",
      .since = Core::k0_16,
      .raises = {{Place::kForward, 845, "RuntimeError", "TE CPU offload is not available"}},
      .what = "fine_grained_activation_offloading is on and Transformer Engine is stated to be absent (--te none).",
      .why = "The manager switches Transformer Engine's own offload on and off; the first forward stops where the module is missing.",
      .remedy = "Install Transformer Engine, or recompute activations instead.",
      .evidence = {"megatron/core/pipeline_parallel/fine_grained_activation_offload.py", "raise RuntimeError(\"TE CPU offload is not …\")"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.te_absent() || facts.off("model.fine_grained_activation_offloading")) return;
            report.add("fine_grained_activation_offloading needs Transformer Engine, and there is none")
                .keys({"model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload off",
                     {switch_off(facts, "model.fine_grained_activation_offloading")});
          },
  };
}

}  // namespace spillway::validate::rules
