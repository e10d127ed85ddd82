#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_attn_proj_alone() {
  return {
      .code = "FGO-ATTN-PROJ-ALONE",
      .summary = "attn_proj can be offloaded only together with core_attn",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2149, "ValueError",
                  "attn_proj cannot be set to offload_modules alone without core_attn because the input of attn_proj is the output of "
                  "core_attn, which is needed in core_attn.backward()."}},
      .what = "fine_grained_activation_offloading is on and offload_modules has attn_proj but not core_attn.",
      .why =
          "The input of the output projection is the output of the attention core, and the core's own backward needs it: offloading it "
          "there alone frees nothing. Megatron-Core refuses the list when the model configuration is built.",
      .remedy = "Add core_attn to offload_modules, or remove attn_proj.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if \"attn_proj\" in self.offload_modules and \"core_attn\" not in self.offload_modules:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            if (!facts.offloads("attn_proj") || facts.offloads("core_attn")) return;
            report.add("offload_modules has attn_proj without core_attn, whose output attn_proj reads")
                .keys({"model.offload_modules", "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kUnsafe, "offload core_attn too",
                     {set("model.offload_modules", with(without(facts.strings("model.offload_modules"), {}), "core_attn"))});
          },
  };
}

}  // namespace spillway::validate::rules
