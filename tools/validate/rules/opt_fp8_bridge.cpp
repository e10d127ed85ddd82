#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fp8_bridge() {
  return {
      .code = "OPT-FP8-BRIDGE",
      .summary = "optimizer offload cannot hold fp8 parameters of a recipe other than delayed",
      .launchers = {Launcher::kBridge, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .raises = {{Place::kBuildOptimizer, 520, "TypeError", "optimizer can only optimize Tensors, but one of the params is NoneType"}},
      .what =
          "Megatron-Bridge runs optimizer offload with the precision-aware optimizer while fp8 is on, fp8_param_gather keeps parameters in "
          "fp8, and the fp8 recipe is tensorwise, blockwise or mxfp8. Megatron-LM refuses this in its arguments; Megatron-Bridge has no "
          "such check.",
      .why =
          "The hybrid optimizer is given None in place of the parameter shards and fails when it is built. By reading the code, and "
          "reported upstream.",
      .remedy = "Switch fp8_param_gather off and keep fp8 compute; or keep the optimizer on the GPU; or use the delayed recipe.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py",
                   "shard_model_param = None for fp8 parameters of the precision-aware optimizer"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("optimizer.use_precision_aware_optimizer")) return;
            if ((facts.off("ddp.fp8_param_gather") && facts.off("mixed_precision.fp8_param_gather")) || facts.off("model.fp8")) return;
            const std::string recipe(facts.text("model.fp8_recipe"));
            if (recipe != "tensorwise" && recipe != "blockwise" && recipe != "mxfp8") return;
            const bool precision = facts.given("mixed_precision.fp8_param_gather");
            const std::string_view gather = precision ? "mixed_precision.fp8_param_gather" : "ddp.fp8_param_gather";
            auto draft = report.add("optimizer offload cannot be combined with fp8_param_gather under fp8 recipe " + recipe +
                                    ": the optimizer gets no parameters to offload");
            draft.keys({gather, "model.fp8_recipe", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "keep fp8 compute and the offload, drop fp8 parameters", {set(gather, false)})
                .fix(Fix::Safety::kDisplayOnly, "keep fp8 parameters, drop the offload", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
