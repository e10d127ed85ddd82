#include <algorithm>

#include "tools/validate/edits.hpp"
#include "tools/validate/layout.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_vpp_layout() {
  static constexpr std::string_view kVirtual = "model.virtual_pipeline_model_parallel_size";
  return {
      .code = "MP-VPP-LAYOUT",
      .summary = "the pipeline layout has another number of virtual stages than the configuration says",
      .launchers = {Launcher::kBridge, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .raises = {{Place::kTransformerConfig, 2254, "AssertionError",
                  "virtual_pipeline_model_parallel_size conflicts with pipeline_model_parallel_layout, "
                  "(self.virtual_pipeline_model_parallel_size={},  detected_vpp_size={})"}},
      .what =
          "pipeline_model_parallel_layout describes stages for another number of virtual stages per rank than "
          "virtual_pipeline_model_parallel_size. Megatron-LM derives the number from the layout instead.",
      .why = "Megatron-Core refuses the configuration: one of the two is left over from another pipeline size.",
      .remedy = "Set virtual_pipeline_model_parallel_size to null and let the layout decide, or write the layout anew.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.virtual_pipeline_model_parallel_size == detected_vpp_size"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.is_null("model.pipeline_model_parallel_layout") || facts.is_null(kVirtual)) return;
            const auto stages = layout_stages(facts);
            const auto ranks = std::max<std::int64_t>(1, facts.integer("model.pipeline_model_parallel_size", 1));
            if (!stages || *stages % ranks != 0 || *stages / ranks == facts.integer(kVirtual)) return;
            const std::string detected = std::to_string(*stages / ranks), given = facts.value(kVirtual).str();
            report
                .add("the layout of " + std::to_string(*stages) + " stages makes " + detected +
                     " virtual stages per rank, virtual_pipeline_model_parallel_size says " + given)
                .keys({kVirtual, "model.pipeline_model_parallel_layout", "model.pipeline_model_parallel_size"})
                .with({given, detected})
                .fix(Fix::Safety::kDisplayOnly, "let the layout decide", {clear(facts, kVirtual)});
          },
  };
}

}  // namespace spillway::validate::rules
