#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_mhc() {
  return {
      .code = "FGO-MHC",
      .summary = "recompute of hyper connections (mhc) does not run with fine-grained offload",
      .since = Core::kMain,
      .raises = {{Place::kTransformerConfig, 2046, "NotImplementedError",
                  "'mhc' in recompute_modules + fine_grained_activation_offloading is not yet supported. The mHC recompute hook currently "
                  "fires before the offloading backward chunk is initialized, causing tensor_pop on a None chunk. Disable one of them."}},
      .what = "fine_grained_activation_offloading is on and selective recompute covers mhc.",
      .why =
          "The recompute hook would ask for offloaded tensors before the backward pass has opened their chunk. Megatron-Core refuses the "
          "pair when the model configuration is built.",
      .remedy = "Choose one: remove mhc from recompute_modules, or switch fine_grained_activation_offloading off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.recompute_granularity == \"selective\" and \"mhc\" in self.recompute_modules: if "
                   "self.fine_grained_activation_offloading:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || !facts.recomputes("mhc")) return;
            report.add("fine-grained offload is on while recompute_modules has mhc; the two do not work together yet")
                .keys({"model.recompute_modules", "model.fine_grained_activation_offloading", "model.recompute_granularity"})
                .fix(Fix::Safety::kDisplayOnly, "do not recompute mhc", without_recompute_of(facts, "mhc"))
                .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload off",
                     {switch_off(facts, "model.fine_grained_activation_offloading")});
          },
  };
}

}  // namespace spillway::validate::rules
