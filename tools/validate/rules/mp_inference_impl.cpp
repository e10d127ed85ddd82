#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_inference_impl() {
  return {
      .code = "MP-INFERENCE-IMPL",
      .summary = "the inference implementation routes experts in fp32 only",
      .since = Core::kBridgePin,
      .raises =
          {{Place::kTransformerConfig, 1608, "ValueError",
            "--transformer-impl='inference_optimized' requires --moe-router-dtype=fp32 to avoid costly dtype conversions during decode."}},
      .what = "transformer_impl is inference_optimized, the model has experts, and moe_router_dtype is not fp32.",
      .why =
          "Megatron-Core refuses it when the model configuration is built. The implementation is made for inference and takes no "
          "activation offload either.",
      .remedy = "Use transformer_engine to train; to serve, route in fp32.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.transformer_impl == \"inference_optimized\" and self.num_moe_experts is not None: if self.moe_router_dtype != "
                   "\"fp32\": raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.transformer_impl", "inference_optimized") || facts.is_null("model.num_moe_experts")) return;
            if (facts.is("model.moe_router_dtype", "fp32")) return;
            report.add("transformer_impl is inference_optimized, which routes experts in fp32 only")
                .keys({"model.moe_router_dtype", "model.transformer_impl"})
                .fix(Fix::Safety::kDisplayOnly, "train with Transformer Engine", {set("model.transformer_impl", "transformer_engine")})
                .fix(Fix::Safety::kDisplayOnly, "route in fp32", {set("model.moe_router_dtype", "fp32")});
          },
  };
}

}  // namespace spillway::validate::rules
