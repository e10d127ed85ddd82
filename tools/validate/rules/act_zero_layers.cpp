#include "tools/validate/edits.hpp"
#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_zero_layers() {
  return {
      .code = "ACT-ZERO-LAYERS",
      .summary = "layer-level activation offload is on, but no layer is offloaded",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .raises = {{Place::kForward, 0, "KeyError", "0"}},
      .what =
          "cpu_offloading is on and cpu_offloading_num_layers is 0, its default. In Megatron-Bridge the switch alone does not choose any "
          "layers.",
      .why =
          "With Transformer Engine from 2.10 on hooks are installed and nothing is moved. Its older path (before 2.10, or "
          "NVTE_CPU_OFFLOAD_V1=1) looks up the first layer in an empty table and stops with KeyError: 0 in the first forward (by reading "
          "the code).",
      .remedy = "State how many layers to offload, 1 to num_layers - 2, or switch the feature off.",
      .evidence = {"transformer_engine/pytorch/cpu_offload_v1.py",
                   "the window map of an empty group range is indexed with the group being committed"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const auto layers = facts.number("model.cpu_offloading_num_layers");
            if (!layers || *layers != 0) return;
            auto found = report.add("cpu_offloading is on, but cpu_offloading_num_layers is 0: no activation leaves the GPU");
            found.severity(Severity::kWarning)
                .keys({"model.cpu_offloading_num_layers", "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "state the number of layers to offload, 1 to num_layers - 2", {})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
            if (offload_path_is_v1(facts)) found.severity(Severity::kError).raise(0);
          },
  };
}

}  // namespace spillway::validate::rules
