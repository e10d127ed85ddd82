#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Megatron-Bridge turns only torch's own names and bf16, fp16 and fp32 back into a dtype.
bool is_float32(const Facts& facts, std::string_view key) {
  return facts.dtype(key) == "float32" && !(facts.bridge() && facts.is(key, "float"));
}

}  // namespace

Rule pao_dtypes_no_pa() {
  return {
      .code = "PAO-DTYPES-NO-PA",
      .summary = "smaller optimizer types need the precision-aware optimizer",
      .raises =
          {{Place::kOptimizerConfig, 470, "AssertionError", "main_grads_dtype can only be fp32 when not using precision-aware optimizer"},
           {Place::kOptimizerConfig, 473, "AssertionError", "main_params_dtype can only be fp32 when not using precision-aware optimizer"},
           {Place::kOptimizerConfig, 476, "AssertionError", "exp_avg_dtype can only be fp32 when not using precision-aware optimizer"},
           {Place::kOptimizerConfig, 479, "AssertionError", "exp_avg_sq_dtype can only be fp32 when not using precision-aware optimizer"}},
      .what =
          "main_grads_dtype, main_params_dtype, exp_avg_dtype or exp_avg_sq_dtype is not fp32 while use_precision_aware_optimizer is off. "
          "In Megatron-Bridge a word that is no torch dtype (half, float) stays a text and counts as not fp32.",
      .why = "The configuration is refused at the first of the four.",
      .remedy = "Switch the precision-aware optimizer on, or leave the dtypes out.",
      .evidence =
          {"megatron/core/optimizer/optimizer_config.py",
           "else: assert self.main_grads_dtype == torch.float32, and the same for main_params_dtype, exp_avg_dtype and exp_avg_sq_dtype"},
      .check =
          [](const Facts& facts, Report& report) {
            constexpr std::string_view kFields[] = {"main_grads_dtype", "main_params_dtype", "exp_avg_dtype", "exp_avg_sq_dtype"};
            if (facts.on("optimizer.use_precision_aware_optimizer")) return;
            for (std::size_t i = 0; i < std::size(kFields); ++i) {
              const std::string key = "optimizer." + std::string(kFields[i]);
              if (is_float32(facts, key)) continue;
              report
                  .add(std::string(kFields[i]) + " is " + facts.value(key).str() +
                       "; without use_precision_aware_optimizer it can only be fp32")
                  .keys({key, "optimizer.use_precision_aware_optimizer"})
                  .raise(i)
                  .fix(Fix::Safety::kDisplayOnly, "leave " + std::string(kFields[i]) + " out", {remove(key)})
                  .fix(Fix::Safety::kDisplayOnly, "use the precision-aware optimizer",
                       {set("optimizer.use_precision_aware_optimizer", true), set("optimizer.use_distributed_optimizer", true)});
            }
          },
  };
}

}  // namespace spillway::validate::rules
