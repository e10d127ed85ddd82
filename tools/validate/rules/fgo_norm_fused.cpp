#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// The layer that GPT models are built of unless something asks for another.
bool default_layer(const Facts& facts) {
  return facts.is("model.transformer_impl", "transformer_engine") && facts.off("model.multi_latent_attention") &&
         facts.off("model.use_transformer_engine_op_fuser") && facts.is_null("model.experimental_attention_variant");
}

}  // namespace

Rule fgo_norm_fused() {
  return {
      .code = "FGO-NORM-FUSED",
      .summary = "norms that are fused into a linear layer cannot be offloaded",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .since = Core::k0_16,
      .what =
          "fine_grained_activation_offloading names attn_norm or mlp_norm, but the layer's norm is part of Transformer Engine's fused "
          "norm-and-linear module: both norms of the default dense GPT layer, the attention norm of the default MoE layer.",
      .why =
          "The offload scope then wraps an identity, so nothing is offloaded and nothing says so. Models with layers of their own may "
          "differ.",
      .remedy = "Take the norm out of offload_modules; qkv_linear offloads the input of the fused module.",
      .evidence = {"megatron/core/transformer/transformer_layer.py",
                   "offload only if not isinstance(self.input_layernorm, IdentityOp), respectively self.pre_mlp_layernorm"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            auto fused = common(facts.offload_modules(), {"attn_norm", "mlp_norm"});
            if (fused.empty() || !default_layer(facts)) return;
            if (facts.integer("model.num_moe_experts") > 0) fused.erase("mlp_norm");
            if (fused.empty() || (facts.megatron_lm() && facts.script() != "gpt")) return;
            report
                .add(enumerated(fused) +
                     " in offload_modules offloads nothing: in the default layer it is fused into the linear layer after it")
                .keys({"model.offload_modules", "model.transformer_impl"})
                .fix(Fix::Safety::kDisplayOnly, "take it out of offload_modules", without_offload_of(facts, fused));
          },
  };
}

}  // namespace spillway::validate::rules
