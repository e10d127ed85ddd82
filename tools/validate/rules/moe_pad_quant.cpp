#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule moe_pad_quant() {
  return {
      .code = "MOE-PAD-QUANT",
      .summary = "padding the router for quantization needs 8-bit or 4-bit training",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2651, "ValueError",
                  "fp8/fp4 must be specified when moe_router_padding_for_quantization is True."}},
      .what = "moe_router_padding_for_quantization is on while fp8 and fp4 are null.",
      .why = "The padding exists for quantized GEMMs only; Megatron-Core refuses it without them.",
      .remedy = "Switch the padding off, or train in fp8 or fp4.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.moe_router_padding_for_quantization: if self.fp8 is None and self.fp4 is None: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.moe_router_padding_for_quantization") || !facts.is_null("model.fp8") || !facts.is_null("model.fp4"))
              return;
            report.add("moe_router_padding_for_quantization is on, but training is neither in fp8 nor in fp4")
                .keys({"model.moe_router_padding_for_quantization", "model.fp8", "model.fp4"})
                .fix(Fix::Safety::kSafe, "switch the padding off", {switch_off(facts, "model.moe_router_padding_for_quantization")});
          },
  };
}

}  // namespace spillway::validate::rules
