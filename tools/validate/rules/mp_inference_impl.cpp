#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Positions in Rule::raises.
enum : std::size_t { kRouterDtype = 0, kPlain };

void refuse(Report& report, std::size_t raise, const std::string& what, std::string_view key) {
  report.add("transformer_impl is inference_optimized, which does not run with " + what)
      .keys({"model.transformer_impl", key})
      .raise(raise)
      .fix(Fix::Safety::kDisplayOnly, "train with Transformer Engine", {set("model.transformer_impl", "transformer_engine")});
}

void check_experts(const Facts& facts, Report& report) {
  if (facts.is_null("model.num_moe_experts") || facts.is("model.moe_router_dtype", "fp32")) return;
  refuse(report, kRouterDtype, "another moe_router_dtype than fp32", "model.moe_router_dtype");
}

void check_layers(const Facts& facts, Report& report) {
  if (!facts.is("model.normalization", "RMSNorm")) refuse(report, kPlain, "another normalization than RMSNorm", "model.normalization");
  for (const std::string_view key :
       {"model.layernorm_zero_centered_gamma", "model.add_bias_linear", "model.add_qkv_bias", "model.use_kitchen"})
    if (facts.on(key)) refuse(report, kPlain, std::string(key.substr(6)), key);
}

}  // namespace

Rule mp_inference_impl() {
  return {
      .code = "MP-INFERENCE-IMPL",
      .summary = "the inference implementation runs only a narrow kind of model",
      .since = Core::k0_17,
      .raises =
          {{Place::kTransformerConfig, 1611, "ValueError",
            "--transformer-impl='inference_optimized' requires --moe-router-dtype=fp32 to avoid costly dtype conversions during decode."},
           {Place::kTransformerConfig, 3156, "AssertionError", ""}},
      .what =
          "transformer_impl is inference_optimized and the model has another norm than RMSNorm, biases, or experts whose router does not "
          "work in "
          "fp32.",
      .why =
          "Megatron-Core refuses it when the model configuration is built, for the norm and the biases with an assertion that carries no "
          "text. The implementation is made for inference and takes no activation offload either.",
      .remedy = "Use transformer_engine to train.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.transformer_impl == \"inference_optimized\": assert self.normalization == \"RMSNorm\"; assert not "
                   "self.add_bias_linear; …"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.transformer_impl", "inference_optimized")) return;
            if (facts.core() >= Core::kBridgePin) check_experts(facts, report);
            check_layers(facts, report);
          },
  };
}

}  // namespace spillway::validate::rules
