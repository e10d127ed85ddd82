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
            const Graphs& graphs = facts.graphs();
            const bool whole = facts.core() >= Core::k0_18;
            const bool null = whole && graphs.asked.is_null() && graphs.impl == "none";
            const std::string impl = null ? "None" : graphs.impl;
            if (impl == "none" || impl == "local" || impl == "transformer_engine" || (impl == "full_iteration" && whole)) return;
            auto finding = report.add("cuda_graph_impl is " + graphs.asked.repr() + "; it must be none, local, transformer_engine" +
                                      (whole ? " or full_iteration" : ""));
            finding.keys({"model.cuda_graph_impl"})
                .with({impl})
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", {set("model.cuda_graph_impl", "none")});
            if (whole) finding.stops();  // the next check looks the name up in a table
          },
  };
}

}  // namespace spillway::validate::rules
