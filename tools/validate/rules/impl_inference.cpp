#include <string>
#include <string_view>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The first field that the implementation asserts away; empty when none.
std::string_view first_unfit(const Facts& facts) {
  if (!facts.is("model.normalization", "RMSNorm")) return "normalization";
  for (const std::string_view field : {"layernorm_zero_centered_gamma", "add_bias_linear", "add_qkv_bias", "use_kitchen"})
    if (facts.on("model." + std::string(field))) return field;
  return {};
}

}  // namespace

Rule impl_inference() {
  return {
      .code = "IMPL-INFERENCE",
      .summary = "the inference implementation takes few kinds of model",
      .since = Core::kBridgePin,
      .raises = {{Place::kTransformerConfig, 1634, "ValueError",
                  "--transformer-impl='inference_optimized' requires --moe-router-dtype=fp32 to avoid costly dtype conversions during "
                  "decode."},
                 {Place::kTransformerConfig, 3160, "AssertionError", ""}},
      .what =
          "transformer_impl is inference_optimized, and the model has another normalization than RMSNorm, biases, or a router "
          "that is not in fp32.",
      .why =
          "The configuration is refused, mostly by an AssertionError without a text. The implementation is made for decoding; "
          "training, and activation offload, want transformer_engine.",
      .remedy = "Use transformer_engine for training.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.transformer_impl == \"inference_optimized\": assert self.normalization == \"RMSNorm\"; assert not "
                   "self.add_bias_linear; ..."},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.transformer_impl", "inference_optimized")) return;
            if (!facts.is_null("model.num_moe_experts") && facts.dtype("model.moe_router_dtype") != "float32")
              report
                  .add("transformer_impl=inference_optimized routes in fp32 only, and moe_router_dtype is " +
                       facts.value("model.moe_router_dtype").repr())
                  .keys({"model.transformer_impl", "model.moe_router_dtype"})
                  .raise(0)
                  .fix(Fix::Safety::kDisplayOnly, "train with the transformer_engine implementation",
                       {set("model.transformer_impl", "transformer_engine")});
            const std::string_view unfit = first_unfit(facts);
            if (unfit.empty()) return;
            report
                .add("transformer_impl=inference_optimized does not go with model." + std::string(unfit) + "=" +
                     facts.value("model." + std::string(unfit)).str())
                .keys({"model.transformer_impl", "model." + std::string(unfit)})
                .raise(1)
                .fix(Fix::Safety::kDisplayOnly, "train with the transformer_engine implementation",
                     {set("model.transformer_impl", "transformer_engine")});
          },
  };
}

}  // namespace spillway::validate::rules
