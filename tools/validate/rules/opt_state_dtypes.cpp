#include "base/text.hpp"

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_state_dtypes() {
  return {
      .code = "OPT-STATE-DTYPES",
      .summary = "optimizer offload ignores the dtypes asked for the optimizer state",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what =
          "optimizer_cpu_offload is on with the precision-aware optimizer, and exp_avg_dtype, exp_avg_sq_dtype or main_params_dtype is not "
          "fp32. (main_grads_dtype does take effect.)",
      .why =
          "The hybrid optimizer keeps the master parameters and both moments in fp32, on the host and on the GPU, and does not store "
          "parameter remainders. A memory plan made with smaller types is short by 4 to 6 bytes per parameter.",
      .remedy = "Leave the dtypes out, and plan with 12 bytes per parameter.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "HybridDeviceOptimizer(..., param_update_in_fp32=True): none of the dtype options is passed on"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("optimizer.use_precision_aware_optimizer")) return;
            std::vector<std::string> ignored;
            std::vector<Edit> edits;
            for (const std::string_view key : {"optimizer.exp_avg_dtype", "optimizer.exp_avg_sq_dtype", "optimizer.main_params_dtype"}) {
              if (facts.dtype(key) == "float32") continue;
              ignored.push_back(std::string(key.substr(key.find('.') + 1)) + " " + facts.value(key).str());
              edits.push_back(remove(key));
            }
            if (ignored.empty()) return;
            report.add("optimizer offload ignores " + join(ignored, ", ") + ": masters and moments are fp32, 12 bytes per parameter")
                .keys({"optimizer.exp_avg_dtype", "optimizer.exp_avg_sq_dtype", "optimizer.main_params_dtype",
                       "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kSafe, "leave the dtypes out", edits);
          },
  };
}

}  // namespace spillway::validate::rules
