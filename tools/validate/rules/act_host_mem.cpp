#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_host_mem() {
  return {
      .code = "ACT-HOST-MEM",
      .summary = "offloaded layers hold their activations in page-locked host memory",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .what = "Layer-level activation offload is on and moves something.",
      .why =
          "Every rank of a node holds the saved activations of its offloaded layers page-locked, from their forward to their backward "
          "(with retained buffers for the whole run). Page-locked blocks are rounded up to powers of two, at worst doubling them. Nothing "
          "in Megatron looks at the memory of the host.",
      .remedy = "Compare with the memory of the node; `estimate` gives the sum.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "offloaded tensors are copied to pinned CPU tensors"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || facts.off("model.cpu_offloading_activations")) return;
            const auto layers = facts.integer("model.cpu_offloading_num_layers");
            if (layers <= 0 || layers >= facts.integer("model.num_layers")) return;
            report
                .add("each rank keeps the saved activations of " + std::to_string(layers) +
                     " layers in page-locked host memory (blocks are rounded up to powers of two)")
                .keys({"model.cpu_offloading_num_layers", "model.cpu_offloading"});
          },
  };
}

}  // namespace spillway::validate::rules
