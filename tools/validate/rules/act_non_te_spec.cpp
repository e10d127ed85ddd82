#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_non_te_spec() {
  return {
      .code = "ACT-NON-TE-SPEC",
      .summary = "layer-level offload with layers that are not Transformer Engine's",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .what = "cpu_offloading is on and transformer_impl is local. Nothing refuses it.",
      .why =
          "Transformer Engine's present path takes any large tensor saved inside the context, so that it works to a degree; its older path "
          "offloads only what Transformer Engine's modules mark, which is next to nothing here. Derived from the code.",
      .remedy = "Use transformer_impl=transformer_engine, or measure whether memory falls at all.",
      .evidence = {"megatron/core/transformer/transformer_block.py",
                   "get_cpu_offload_context(self.config.cpu_offloading, …) whatever the layers are made of"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || !facts.is("model.transformer_impl", "local")) return;
            report
                .add(
                    "cpu_offloading with transformer_impl=local offloads only part of the activations, or hardly any: the layers are not "
                    "Transformer Engine's")
                .keys({"model.transformer_impl", "model.cpu_offloading"})
                .fix(Fix::Safety::kUnsafe, "use Transformer Engine's layers", {set("model.transformer_impl", "transformer_engine")});
          },
  };
}

}  // namespace spillway::validate::rules
