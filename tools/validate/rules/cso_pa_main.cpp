#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_pa_main() {
  return {
      .code = "CSO-PA-MAIN",
      .summary = "the chunked offload needs fp32 masters",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 453, "AssertionError",
                  "chunked optimizer state offload with precision-aware optimizer requires main_params_dtype=torch.float32"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with the precision-aware optimizer, and "
          "main_params_dtype is not fp32.",
      .why = "The configuration is refused.",
      .remedy = "Keep the masters in fp32.",
      .evidence =
          {"megatron/core/optimizer/optimizer_config.py",
           "assert ..., \"chunked optimizer state offload with precision-aware optimizer requires main_params_dtype=torch.float32\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.on("optimizer.use_precision_aware_optimizer") && facts.dtype("optimizer.main_params_dtype") != "float32")) return;
            report
                .add("main_params_dtype is " + facts.dtype("optimizer.main_params_dtype") +
                     "; the chunked optimizer-state offload needs float32")
                .keys({"optimizer.main_params_dtype", "optimizer.chunked_optimizer_state_offload"})
                .fix(Fix::Safety::kUnsafe, "keep the masters in fp32", {set("optimizer.main_params_dtype", "fp32")});
          },
  };
}

}  // namespace spillway::validate::rules
