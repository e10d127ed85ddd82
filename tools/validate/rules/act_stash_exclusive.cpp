#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_stash_exclusive() {
  return {
      .code = "ACT-STASH-EXCLUSIVE",
      .summary = "layer-level activation offload and the MoE paged stash exclude each other",
      .since = Core::k0_18,
      .raises = {{Place::kTransformerConfig, 2212, "ValueError", "moe_paged_stash cannot be enabled with cpu_offloading."}},
      .what =
          "moe_paged_stash and cpu_offloading are both on. Some of Megatron-Bridge's performance recipes for mixtures of experts bring the "
          "stash along.",
      .why = "Both take over the experts' saved activations. Megatron-Core refuses the combination when the model configuration is built.",
      .remedy = "Keep one of them.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.moe_paged_stash: if self.cpu_offloading: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.moe_paged_stash") || facts.off("model.cpu_offloading")) return;
            report.add("moe_paged_stash and cpu_offloading cannot both be on")
                .keys({"model.cpu_offloading", "model.moe_paged_stash"})
                .fix(Fix::Safety::kDisplayOnly, "keep the paged stash", no_layer_offload(facts))
                .fix(Fix::Safety::kDisplayOnly, "keep layer-level offload", {switch_off(facts, "model.moe_paged_stash")});
          },
  };
}

}  // namespace spillway::validate::rules
