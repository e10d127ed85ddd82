#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_bridge_full_te_layer() {
  return {
      .code = "ACT-BRIDGE-FULL-TE-LAYER",
      .summary = "Bridge's full Transformer Engine layer refuses local graphs with offload or recompute",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBuildModel, 230, "AssertionError", "Cudagraphs not supported"}},
      .what =
          "use_transformer_engine_full_layer_spec is on, the CUDA graphs are local ones (not of the full iteration), and cpu_offloading or "
          "recompute is on.",
      .why = "The layer's graph manager refuses both while the model trains. Earlier checks of graphs usually stop such a run before.",
      .remedy = "Set cuda_graph_impl to none, or drop offload and recompute.",
      .evidence = {"src/megatron/bridge/models/gpt_full_te_layer_autocast_spec.py",
                   "assert not self.config.cpu_offloading and self.config.recompute_granularity is None, \"Cudagraphs not supported\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.use_transformer_engine_full_layer_spec")) return;
            const bool offload = facts.on("model.cpu_offloading");
            if (!offload && facts.is_null("model.recompute_granularity")) return;
            if (facts.graphs().impl != "local" || facts.graphs().whole_iteration) return;
            report
                .add(std::string("the full Transformer Engine layer does not support local CUDA graphs with ") +
                     (offload ? "cpu_offloading" : "activation recompute"))
                .keys({"model.use_transformer_engine_full_layer_spec", "model.cuda_graph_impl",
                       offload ? "model.cpu_offloading" : "model.recompute_granularity"})
                .fix(Fix::Safety::kDisplayOnly, "run without CUDA graphs", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
