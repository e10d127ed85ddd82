#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Megatron-Bridge has a mixed-precision section, which by now has been copied onto the others.
bool has_mixed_precision(const Facts& facts) {
  if (!facts.bridge()) return false;
  if (const auto* named = facts.setting("mixed_precision"); named != nullptr && named->origin.source >= 0) return !named->value.is_null();
  return facts.given("mixed_precision") || facts.given("mixed_precision.fp8_recipe");
}

}  // namespace

Rule pao_mxfp8_warn() {
  return {
      .code = "PAO-MXFP8-WARN",
      .summary = "mxfp8 without shared buffers for parameters and gradients costs GPU memory",
      .severity = Severity::kWarning,
      .stage = Stage::kConfig,
      .raises = {{Place::kBridge,
                  1495,
                  "AssertionError",
                  "When fp8_param_gather=True and fp8_recipe='mxfp8', reuse_grad_buf_for_mxfp8_param_ag must be set to True",
                  {Launcher::kBridge}}},
      .what =
          "The fp8 recipe is mxfp8 and reuse_grad_buf_for_mxfp8_param_ag is off. In Megatron-Bridge, with fp8_param_gather on in the "
          "mixed-precision settings and outside FSDP, that is an error.",
      .why =
          "Parameters are kept in bf16 beside their mxfp8 form, 2 bytes per parameter more. Upstream warns of it and recommends two "
          "settings, one of which (fp8_param_gather) excludes optimizer offload.",
      .remedy =
          "Without optimizer offload, switch reuse_grad_buf_for_mxfp8_param_ag and fp8_param_gather on. With optimizer offload, accept the "
          "memory: this is a trade.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py",
                   "if self.fp8_recipe == 'mxfp8' and not self.reuse_grad_buf_for_mxfp8_param_ag: warnings.warn(...)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("optimizer.fp8_recipe", "mxfp8") || facts.on("optimizer.reuse_grad_buf_for_mxfp8_param_ag")) return;
            if (has_mixed_precision(facts) && facts.on("ddp.fp8_param_gather") && !uses_fsdp(facts)) {
              report.add("fp8_param_gather with the mxfp8 recipe needs reuse_grad_buf_for_mxfp8_param_ag")
                  .severity(Severity::kError)
                  .keys({"mixed_precision.reuse_grad_buf_for_mxfp8_param_ag", "mixed_precision.fp8_param_gather",
                         "mixed_precision.fp8_recipe"})
                  .fix(Fix::Safety::kDisplayOnly, "reuse the gradient buffer",
                       {set("mixed_precision.reuse_grad_buf_for_mxfp8_param_ag", true)})
                  .fix(Fix::Safety::kDisplayOnly, "switch fp8_param_gather off", {set("mixed_precision.fp8_param_gather", false)});
              return;
            }
            const bool offload = facts.on("optimizer.optimizer_cpu_offload");
            auto draft = report.add(
                std::string("mxfp8 keeps a bf16 copy of the parameters, 2 bytes each, as reuse_grad_buf_for_mxfp8_param_ag is off") +
                (offload ? "; with optimizer offload that is the price, since the remedy (fp8_param_gather) excludes it" : ""));
            draft.severity(Severity::kWarning)
                .keys({"optimizer.reuse_grad_buf_for_mxfp8_param_ag", "optimizer.fp8_recipe", "model.fp8_recipe"});
            if (offload) return;
            const auto key = [&](std::string_view field, std::string_view otherwise) {
              return facts.bridge() ? "mixed_precision." + std::string(field) : std::string(otherwise);
            };
            draft.fix(Fix::Safety::kUnsafe, "gather fp8 parameters and reuse the gradient buffer",
                      {set(key("reuse_grad_buf_for_mxfp8_param_ag", "optimizer.reuse_grad_buf_for_mxfp8_param_ag"), true),
                       set(key("fp8_param_gather", "ddp.fp8_param_gather"), true)});
          },
  };
}

}  // namespace spillway::validate::rules
