#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_impl_value() {
  return {
      .code = "CG-IMPL-VALUE",
      .summary = "cuda_graph_impl names no implementation",
      .raises = {{Place::kTransformerConfig, 2778, "AssertionError", "Invalid cuda graph implementation: {}"}},
      .what = "cuda_graph_impl must be none, local, transformer_engine or, from Megatron-Core 0.18 on, full_iteration.",
      .why = "Upstream compares the text exactly and refuses anything else, also other capitals, abbreviations and null.",
      .remedy = "Write one of the names; none switches CUDA graphs off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.cuda_graph_impl in [\"none\", \"transformer_engine\", \"local\", \"full_iteration\"]"},
      .check =
          [](const Facts& facts, Report& report) {
            // The deprecated switches decide before the value is looked at.
            if (facts.on("model.enable_cuda_graph") || facts.on("model.external_cuda_graph")) return;
            const auto& given = facts.value("model.cuda_graph_impl");
            const bool whole = facts.core() >= Core::k0_18;
            const std::string impl = given.is_null() && whole ? "None" : facts.graphs().impl;
            if (impl == "none" || impl == "local" || impl == "transformer_engine") return;
            if (impl == "full_iteration" && whole) return;
            report
                .add("cuda_graph_impl is " + given.repr() + "; it must be none, local, transformer_engine" +
                     (whole ? " or full_iteration" : ""))
                .keys({"model.cuda_graph_impl"})
                .with({given.str()})
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", {set("model.cuda_graph_impl", "none")});
          },
  };
}

}  // namespace spillway::validate::rules
