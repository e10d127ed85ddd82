#include <string>

#include "tools/validate/chunked_states.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_pa_state() {
  return {
      .code = "CSO-PA-STATE",
      .summary = "the chunked offload needs moments in fp32 or bf16",
      .launchers = {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .since = Core::kDev,
      .raises = {{Place::kOptimizerConfig, 457, "AssertionError",
                  "chunked optimizer state offload with precision-aware optimizer requires {} to be torch.float32 or torch.bfloat16"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with the precision-aware optimizer, and "
          "exp_avg_dtype or exp_avg_sq_dtype is something else than fp32 and bf16.",
      .why = "The configuration is refused.",
      .remedy = "Keep the moments in fp32 or bf16.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "assert dtype in (torch.float32, torch.bfloat16)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts) || facts.off("optimizer.use_precision_aware_optimizer")) return;
            for (const std::string field : {"exp_avg_dtype", "exp_avg_sq_dtype"}) {
              const std::string key = "optimizer." + field, dtype = facts.dtype(key);
              if (dtype == "float32" || dtype == "bfloat16") continue;
              report.add(field + " is " + dtype + "; the chunked optimizer-state offload needs float32 or bfloat16")
                  .keys({key, "optimizer.chunked_optimizer_state_offload"})
                  .with({field})
                  .fix(Fix::Safety::kUnsafe, "keep the moments in bf16", {set(key, "bf16")})
                  .fix(Fix::Safety::kDisplayOnly, "keep the moments in fp32", {set(key, "fp32")});
            }
          },
  };
}

}  // namespace spillway::validate::rules
