#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pipe_dtype() {
  return {
      .code = "PIPE-DTYPE",
      .summary = "several pipeline stages need a pipeline_dtype",
      .launchers = {Launcher::kMegatronCore},
      .raises = {{Place::kModelParallelConfig, 529, "ValueError", "When using pipeline parallelism, pipeline_dtype must be specified"}},
      .what =
          "pipeline_model_parallel_size is above 1 and pipeline_dtype is not set, in code that builds Megatron-Core's configuration "
          "itself. Megatron-LM and Megatron-Bridge fill it in.",
      .why =
          "Stages send activations in this type. The check comes before all others of the model, so that it hides the refusal of "
          "cpu_offloading with a pipeline.",
      .remedy = "Set pipeline_dtype to the parameters' type.",
      .evidence = {"megatron/core/model_parallel_config.py", "if self.pipeline_model_parallel_size > 1: if self.pipeline_dtype is None:"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto stages = facts.integer("model.pipeline_model_parallel_size", 1);
            if (stages <= 1 || !facts.is_null("model.pipeline_dtype")) return;
            auto found = report.add("pipeline_dtype is not set, which " + std::to_string(stages) + " pipeline stages need");
            found.keys({"model.pipeline_dtype", "model.pipeline_model_parallel_size"});
            if (facts.given("model.params_dtype"))
              found.fix(Fix::Safety::kSafe, "send activations in the parameters' type",
                        {set("model.pipeline_dtype", facts.value("model.params_dtype"))});
            else
              found.fix(Fix::Safety::kDisplayOnly, "set pipeline_dtype to the parameters' type", {});
          },
  };
}

}  // namespace spillway::validate::rules
