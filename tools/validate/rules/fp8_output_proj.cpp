#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fp8_output_proj() {
  return {
      .code = "FP8-OUTPUT-PROJ",
      .summary = "an fp8 output projection needs fp8 training",
      .since = Core::k0_18,
      .raises = {{Place::kTransformerConfig, 1594, "ValueError", "fp8_output_proj must be used together with fp8 mode."}},
      .what = "fp8_output_proj is on and training is not in fp8, for example because mixed_precision was replaced over an fp8 recipe.",
      .why = "The configuration is refused.",
      .remedy = "Switch fp8_output_proj off, or train in fp8.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "if self.fp8_output_proj and not self.fp8: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fp8_output_proj") || facts.on("model.fp8")) return;
            report.add("fp8_output_proj is on and fp8 is off")
                .keys({"model.fp8_output_proj", "model.fp8", "mixed_precision"})
                .fix(Fix::Safety::kUnsafe, "keep the output projection in the parameters' type",
                     {switch_off(facts, "model.fp8_output_proj")});
          },
  };
}

}  // namespace spillway::validate::rules
