#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_weights_noop() {
  return {
      .code = "ACT-WEIGHTS-NOOP",
      .summary = "weight offload does nothing",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .raises = {{Place::kBuildModel, 830, "DeprecationWarning",
                  "Offloading weights is deprecated. Using offload_weights=True does not have any effect."}},
      .what = "cpu_offloading and cpu_offloading_weights are on. Transformer Engine has ignored the request for weights since 2.3.",
      .why = "The weights stay on the GPU: no memory is saved by this switch.",
      .remedy = "Set cpu_offloading_weights to false. To move optimizer state and master weights to the host use optimizer_cpu_offload.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "if offload_weights: warnings.warn(…, DeprecationWarning)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || facts.off("model.cpu_offloading_weights")) return;
            if (facts.off("model.cpu_offloading_activations") || facts.te() < Version{2, 3, 0}) return;
            report.add("cpu_offloading_weights has no effect with Transformer Engine " + facts.te().str() + ": weights stay on the GPU")
                .keys({"model.cpu_offloading_weights"})
                .fix(Fix::Safety::kSafe, "switch weight offload off", {switch_off(facts, "model.cpu_offloading_weights")});
          },
  };
}

}  // namespace spillway::validate::rules
