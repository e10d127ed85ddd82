#include <cstdint>
#include <string>

#include "tools/validate/parallel.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pipe_layout_vpp() {
  return {
      .code = "PIPE-LAYOUT-VPP",
      .summary = "the pipeline layout and the virtual pipeline size agree",
      .launchers = {Launcher::kBridge, Launcher::kMegatronCore},
      .since = Core::kBridgePin,
      .raises = {{Place::kTransformerConfig, 2278, "AssertionError",
                  "virtual_pipeline_model_parallel_size conflicts with pipeline_model_parallel_layout, "
                  "(self.virtual_pipeline_model_parallel_size={},  detected_vpp_size={})"}},
      .what =
          "A pipeline layout is given and virtual_pipeline_model_parallel_size is not the number of its stages by the number of "
          "pipeline ranks.",
      .why = "The configuration is refused. It happens when the pipeline is made shorter and the layout of the recipe stays.",
      .remedy = "Give a layout for the new size, or none.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.virtual_pipeline_model_parallel_size == detected_vpp_size"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto* chunks = facts.value("model.virtual_pipeline_model_parallel_size").integer();
            if (chunks == nullptr || facts.is_null("model.pipeline_model_parallel_layout")) return;
            const auto stages = stages_of(facts.value("model.pipeline_model_parallel_layout"));
            const auto pipeline = facts.integer("model.pipeline_model_parallel_size", 1);
            if (stages == 0 || pipeline < 1 || stages % pipeline != 0 || stages / pipeline == *chunks) return;
            report
                .add("pipeline_model_parallel_layout has " + std::to_string(stages) + " stages, which makes " +
                     std::to_string(stages / pipeline) + " chunks on each of " + std::to_string(pipeline) +
                     " ranks, and virtual_pipeline_model_parallel_size is " + std::to_string(*chunks))
                .keys({"model.virtual_pipeline_model_parallel_size", "model.pipeline_model_parallel_layout",
                       "model.pipeline_model_parallel_size"})
                .with({std::to_string(*chunks), std::to_string(stages / pipeline)})
                .fix(Fix::Safety::kUnsafe, "take the number from the layout",
                     {set("model.virtual_pipeline_model_parallel_size", stages / pipeline)});
          },
  };
}

}  // namespace spillway::validate::rules
