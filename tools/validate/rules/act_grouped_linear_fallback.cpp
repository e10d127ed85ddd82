#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_grouped_linear_fallback() {
  return {
      .code = "ACT-GROUPED-LINEAR-FALLBACK",
      .summary = "layer-level offload takes grouped linear layers off their fast path",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .what = "cpu_offloading is on in a mixture of experts with grouped GEMM, or, in Megatron-Bridge, with LoRA adapters.",
      .why =
          "While offload is active Transformer Engine's grouped linear layer leaves its grouped-tensor path, and Megatron-Bridge does not "
          "use its fused LoRA path. Steps get slower by more than the copies.",
      .remedy = "Compare step times with and without offload; fine-grained offload or optimizer offload may cost less.",
      .evidence = {"transformer_engine/pytorch/module/grouped_linear.py",
                   "the grouped-tensor path is taken only while CPU offload is not enabled"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const bool lora = facts.bridge() && facts.given("peft.target_modules");
            if (!lora && (facts.off("model.num_moe_experts") || facts.off("model.moe_grouped_gemm"))) return;
            report
                .add(lora ? "cpu_offloading rules out Megatron-Bridge's fused LoRA path"
                          : "cpu_offloading takes the experts' grouped GEMM off its fast path")
                .keys({"model.cpu_offloading", lora ? "peft.target_modules" : "model.moe_grouped_gemm"});
          },
  };
}

}  // namespace spillway::validate::rules
