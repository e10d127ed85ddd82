#include "tools/validate/edits.hpp"
#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// A written transformer_engine is refused whatever the graph settings that nobody states are.
bool asks_for_te(const Facts& facts) {
  if (!facts.given("model.cuda_graph_impl") || !facts.is("model.cuda_graph_impl", "transformer_engine")) return false;
  for (const std::string_view key : {"model.cuda_graph_modules", "model.cuda_graph_scope"})
    if (facts.given(key) && facts.raw(key).str().find("full_iteration") != std::string::npos) return false;
  return true;
}

}  // namespace

Rule act_cuda_graph() {
  return {
      .code = "ACT-CUDA-GRAPH",
      .summary = "layer-level activation offload does not run with per-layer CUDA graphs",
      .raises = {{Place::kTransformerConfig, 2801, "ValueError", "CUDA graphs not supported with CPU offloading."}},
      .what =
          "cpu_offloading is on and cuda_graph_impl ends up as local or transformer_engine, be it through the deprecated enable_cuda_graph "
          "or external_cuda_graph. From Megatron-Core 0.18 on none and full_iteration pass; before, a full-iteration graph is a local one "
          "and refused too.",
      .why =
          "A captured layer replays fixed addresses; offload gives tensors back between the layers. Megatron-Core refuses the combination "
          "when the model configuration is built.",
      .remedy =
          "Set cuda_graph_impl to none; or keep the graphs and use fine-grained offload with transformer_engine graphs; or, from 0.18 on, "
          "graph the full iteration with cpu_offloading_retain_pinned_cpu_buffers on.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.cuda_graph_impl in (\"local\", \"transformer_engine\") and self.cpu_offloading: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const std::string impl = asks_for_te(facts) ? "transformer_engine" : facts.graphs().impl;
            if (impl == "none" || (impl == "full_iteration" && facts.core() >= Core::k0_18)) return;
            auto found = report.add("layer-level activation offload (cpu_offloading) cannot run with CUDA graphs of kind " + impl);
            found.keys({"model.cuda_graph_impl", "model.enable_cuda_graph", "model.external_cuda_graph", "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "run without CUDA graphs", capture_with(facts, "none"))
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off, and offload fine-grained instead",
                     no_layer_offload(facts));
            if (facts.core() >= Core::k0_18)
              found.fix(Fix::Safety::kDisplayOnly,
                        "graph the full iteration instead: cuda_graph_impl=full_iteration with retained pinned buffers", {});
          },
  };
}

}  // namespace spillway::validate::rules
