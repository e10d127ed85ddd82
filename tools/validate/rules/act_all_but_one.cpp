#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_all_but_one() {
  return {
      .code = "ACT-ALL-BUT-ONE",
      .summary = "offloading all layers but one leaves nothing to overlap with",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .raises =
          {{Place::kBuildModel, 848, "UserWarning",
            "Offloading num_layers == model_layers - 1 is not recommended, it prevents overlapping of computation and offload/reload."}},
      .what =
          "cpu_offloading_num_layers is num_layers - 1, the largest legal number, on Transformer Engine's present path (2.10 or later).",
      .why =
          "A layer's copies have to finish while another one computes. With one layer kept there is none to hide behind, so that every "
          "copy is waited for.",
      .remedy = "Offload at most num_layers - 2 layers.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "if num_layers == model_layers - 1: warnings.warn(…)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const auto layers = facts.integer("model.cpu_offloading_num_layers");
            if (layers <= 0 || layers != facts.integer("model.num_layers") - 1) return;
            const OffloadPath path = offload_path(facts);
            if (path == OffloadPath::kV1) return;
            auto found = report.add("offloading " + std::to_string(layers) + " of " + std::to_string(layers + 1) +
                                    " layers leaves no computation for the copies to hide behind" + std::string(unless_v1(path)));
            found.keys({"model.cpu_offloading_num_layers", "model.num_layers"});
            if (layers >= 2)
              found.fix(Fix::Safety::kUnsafe, "offload all layers but two", {set("model.cpu_offloading_num_layers", layers - 1)});
          },
  };
}

}  // namespace spillway::validate::rules
