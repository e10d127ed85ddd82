#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fp8_delayed() {
  return {
      .code = "OPT-FP8-DELAYED",
      .summary = "Megatron-LM offloads the optimizer of fp8 parameters only with the delayed recipe",
      .launchers = {Launcher::kMegatronLm},
      .raises =
          {{Place::kValidateArgs, 1889, "AssertionError",
            "When `--fp8-param-gather` is enabled, the optimizer cpu offload must be used in conjunction with `--fp8-recipe delayed`."}},
      .what = "Megatron-LM is started with --optimizer-cpu-offload and --fp8-param-gather, and --fp8-recipe is not delayed.",
      .why =
          "The arguments are refused. With the other recipes the optimizer has no shard of an fp8 parameter to work on, so nothing can be "
          "moved to the host. fp8 compute alone is fine.",
      .remedy =
          "Choose: drop --fp8-param-gather and keep fp8 compute (with mxfp8 upstream then prints a warning about the extra memory of a "
          "16-bit copy, 2 bytes per parameter: accept it); or keep fp8 parameters and drop the offload; or use the delayed recipe with "
          "both.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.optimizer_cpu_offload and args.fp8_param_gather: assert args.fp8_recipe == 'delayed'"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("ddp.fp8_param_gather") ||
                facts.is("model.fp8_recipe", "delayed"))
              return;
            const std::string recipe(facts.text("model.fp8_recipe"));
            const std::string price =
                recipe == "mxfp8" ? "; accept the warning about the extra GPU memory of a 16-bit copy, 2 bytes per parameter" : "";
            report
                .add("optimizer offload cannot be combined with --fp8-param-gather under --fp8-recipe " + recipe +
                     ": choose either fp8 parameters or the offload")
                .keys({"ddp.fp8_param_gather", "model.fp8_recipe", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "keep fp8 compute and the offload, drop fp8 parameters" + price,
                     {remove("ddp.fp8_param_gather")})
                .fix(Fix::Safety::kDisplayOnly, "keep fp8 parameters, drop the offload", {remove("optimizer.optimizer_cpu_offload")})
                .fix(Fix::Safety::kDisplayOnly, "use the delayed recipe with both", {set("model.fp8_recipe", "delayed")});
          },
  };
}

}  // namespace spillway::validate::rules
