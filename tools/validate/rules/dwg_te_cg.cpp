#include "tools/validate/edits.hpp"
#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dwg_te_cg() {
  return {
      .code = "DWG-TE-CG",
      .summary = "delayed weight gradients with partial CUDA graphs need Transformer Engine 2.10",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 3079, "AssertionError",
                  "TE version >= 2.10.0 is required for delay_wgrad_compute with partial cuda graph"}},
      .what = "delay_wgrad_compute is on, CUDA graphs are Transformer Engine's, and its version is below 2.10.0.",
      .why = "Older versions cannot delay weight gradients of captured layers. Megatron-Core refuses the configuration when it is built.",
      .remedy = "Use Transformer Engine 2.10 or newer, switch CUDA graphs off, or delay_wgrad_compute.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.delay_wgrad_compute: if self.cuda_graph_impl == \"transformer_engine\": assert is_te_min_version(\"2.10.0\")"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.te() >= Version{2, 10, 0}) return;
            if (facts.off("model.delay_wgrad_compute") || facts.graphs().impl != "transformer_engine") return;
            report.add("delay_wgrad_compute with Transformer Engine's CUDA graphs needs version 2.10.0, this is " + facts.te().str())
                .keys({"model.delay_wgrad_compute", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "do not delay weight gradients", {switch_off(facts, "model.delay_wgrad_compute")})
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
