#include "tools/validate/edits.hpp"
#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Experts take what the router sends.
bool dropless(const Facts& facts) {
  if (facts.off("model.num_moe_experts") || !facts.is_null("model.moe_expert_rank_capacity_factor")) return false;
  return facts.off("model.moe_pad_expert_input_to_capacity") || facts.is_null("model.moe_expert_capacity_factor");
}

}  // namespace

Rule act_retain_shapes() {
  return {
      .code = "ACT-RETAIN-SHAPES",
      .summary = "retained pinned buffers need the same tensor shapes in every iteration",
      .raises = {{Place::kForward, 298, "ValueError",
                  "CPU buffer shape does not match the offloaded tensor shape: {} != {}  Make sure that tensor shapes do not change "
                  "between iterations if retain_pinned_cpu_buffers is True."}},
      .what =
          "cpu_offloading_retain_pinned_cpu_buffers is on and shapes change between iterations: variable_seq_lengths is on, or a mixture "
          "of experts receives as many tokens as the router sends, without padding to a capacity.",
      .why = "Transformer Engine copies each tensor into the buffer of the iteration before and stops when the shape is another one.",
      .remedy =
          "Switch cpu_offloading_retain_pinned_cpu_buffers off; or fix the shapes: constant sequence length, experts padded to their "
          "capacity.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "if cpu_buffer.shape != tensor.shape: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading_retain_pinned_cpu_buffers") || facts.off("model.cpu_offloading")) return;
            if (facts.integer("model.cpu_offloading_num_layers") <= 0) return;
            const bool sequences = facts.on("model.variable_seq_lengths");
            if (!sequences && !dropless(facts)) return;
            if (offload_path_is_v1(facts)) return;  // V1 ignores the flag
            report
                .add(std::string("cpu_offloading_retain_pinned_cpu_buffers needs constant tensor shapes, but ") +
                     (sequences ? "sequences vary in length (variable_seq_lengths)"
                                : "experts receive a varying number of tokens (no padding to a capacity)"))
                .keys({"model.cpu_offloading_retain_pinned_cpu_buffers",
                       sequences ? "model.variable_seq_lengths" : "model.moe_pad_expert_input_to_capacity"})
                .with({"…", "…"})
                .fix(Fix::Safety::kUnsafe, "allocate the pinned buffers anew in each iteration",
                     {switch_off(facts, "model.cpu_offloading_retain_pinned_cpu_buffers")});
          },
  };
}

}  // namespace spillway::validate::rules
