#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_fgo_exclusive() {
  return {
      .code = "ACT-FGO-EXCLUSIVE",
      .summary = "layer-level and fine-grained activation offload exclude each other",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2128, "AssertionError",
                  "fine_grained_activation_offloading cannot be enabled with cpu_offloading."}},
      .what =
          "fine_grained_activation_offloading and cpu_offloading are both on. On Megatron-LM's command line a positive "
          "--cpu-offloading-num-layers is enough to switch the latter on.",
      .why = "Both move the same saved tensors. Megatron-Core refuses the combination when the model configuration is built.",
      .remedy =
          "Keep one of them: fine-grained offload goes with pipelines, selective recompute and graphs; layer-level offload is the simpler "
          "one without them.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fine_grained_activation_offloading: assert not self.cpu_offloading"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.off("model.cpu_offloading")) return;
            report
                .add(std::string("fine_grained_activation_offloading and cpu_offloading cannot both be on") +
                     (facts.megatron_lm() ? "; --cpu-offloading-num-layers switches the latter on" : ""))
                .keys({"model.cpu_offloading", "model.fine_grained_activation_offloading", "model.cpu_offloading_num_layers"})
                .fix(Fix::Safety::kDisplayOnly, "keep fine-grained offload", no_layer_offload(facts))
                .fix(Fix::Safety::kDisplayOnly, "keep layer-level offload",
                     {switch_off(facts, "model.fine_grained_activation_offloading")});
          },
  };
}

}  // namespace spillway::validate::rules
