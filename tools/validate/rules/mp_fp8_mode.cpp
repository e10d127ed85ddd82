#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Positions in Rule::raises.
enum : std::size_t { kEdges = 0, kParam, kOutput };

void check_without_mode(const Facts& facts, Report& report) {
  if (facts.on("model.fp8_param"))
    report.add("parameters are to be kept in fp8, but fp8 training is off")
        .keys({"ddp.fp8_param_gather", "model.fp8_param", "model.fp8"})
        .raise(kParam)
        .fix(Fix::Safety::kDisplayOnly, "keep 16-bit parameters", {switch_off(facts, "ddp.fp8_param_gather")});
  if (facts.on("model.fp8_output_proj"))
    report.add("fp8_output_proj is on, but fp8 training is off")
        .keys({"model.fp8_output_proj", "model.fp8", "mixed_precision"})
        .raise(kOutput)
        .fix(Fix::Safety::kSafe, "switch fp8_output_proj off", {switch_off(facts, "model.fp8_output_proj")});
}

void check_mode(const Facts& facts, Report& report) {
  if (facts.on("model.first_last_layers_bf16") && facts.is("model.fp8_recipe", "delayed"))
    report.add("first_last_layers_bf16 does not go with delayed scaling")
        .keys({"model.first_last_layers_bf16", "model.fp8_recipe"})
        .raise(kEdges)
        .fix(Fix::Safety::kDisplayOnly, "run all layers in fp8", {switch_off(facts, "model.first_last_layers_bf16")})
        .fix(Fix::Safety::kDisplayOnly, "scale per tensor", {set("model.fp8_recipe", "tensorwise")});
}

}  // namespace

Rule mp_fp8_mode() {
  return {
      .code = "MP-FP8-MODE",
      .summary = "fp8 settings that need fp8 training, or another recipe",
      .raises = {{Place::kTransformerConfig, 1530, "ValueError", "Delayed scaling does not support first / last layer in BF16."},
                 {Place::kTransformerConfig, 1567, "ValueError", "fp8_param must be used together with fp8 mode."},
                 {Place::kTransformerConfig, 1571, "ValueError", "fp8_output_proj must be used together with fp8 mode."}},
      .what =
          "fp8 parameters (--fp8-param-gather) or fp8_output_proj are on while fp8 is null; or first_last_layers_bf16 with the delayed "
          "recipe, which is Megatron-LM's default.",
      .why = "Megatron-Core refuses each when the model configuration is built.",
      .remedy = "Set fp8 (--fp8-format) and a recipe that fits, or switch the setting off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fp8_param and not self.fp8: raise ValueError; if self.first_last_layers_bf16 and self.fp8_recipe == "
                   "Fp8Recipe.delayed: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fp8"))
              check_without_mode(facts, report);
            else
              check_mode(facts, report);
          },
  };
}

}  // namespace spillway::validate::rules
