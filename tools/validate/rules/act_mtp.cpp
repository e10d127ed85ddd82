#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_mtp() {
  return {
      .code = "ACT-MTP",
      .summary = "multi-token prediction layers are never offloaded",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .what = "cpu_offloading is on in a model with multi-token prediction layers (mtp_num_layers).",
      .why = "These layers run outside the offload context and do not count as num_layers: their activations stay on the GPU.",
      .remedy = "Count their activations as resident when planning memory.",
      .evidence = {"megatron/core/transformer/multi_token_prediction.py", "the prediction layers run in a null context"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const auto layers = facts.integer("model.mtp_num_layers");
            if (layers <= 0) return;
            report
                .add("the " + std::to_string(layers) +
                     (layers == 1 ? " multi-token prediction layer stays" : " multi-token prediction layers stay") +
                     " outside cpu_offloading")
                .keys({"model.mtp_num_layers", "model.cpu_offloading"});
          },
  };
}

}  // namespace spillway::validate::rules
