#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

double bytes_of(const std::string& dtype) { return dtype == "uint8" ? 1 : dtype == "float16" || dtype == "bfloat16" ? 2 : 4; }

/// Optimizer bytes per parameter of the precision-aware optimizer on the GPU: masters (or what bf16 lacks of them) and two moments.
double bytes_without_offload(const Facts& facts) {
  const double masters = facts.on("optimizer.store_param_remainders") ? 2 : bytes_of(facts.dtype("optimizer.main_params_dtype"));
  return masters + bytes_of(facts.dtype("optimizer.exp_avg_dtype")) + bytes_of(facts.dtype("optimizer.exp_avg_sq_dtype"));
}

std::string bytes_text(double bytes) {
  const auto tenths = static_cast<long>(bytes * 10 + 0.5);
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

}  // namespace

Rule opt_pa_breakeven() {
  return {
      .code = "OPT-PA-BREAKEVEN",
      .summary = "a small fraction costs GPU memory under the precision-aware optimizer",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .what =
          "Optimizer offload runs with the precision-aware optimizer and a fraction so small that the part that stays on the GPU, at 12 "
          "bytes per parameter, needs as much as all of it did without offload: 10 bytes with stored remainders, 12 without, less with "
          "16-bit or fp8 moments.",
      .why =
          "The hybrid optimizer keeps fp32 masters and moments and ignores remainders and smaller dtypes, so switching it on first costs "
          "memory. Derived from the byte counts; with remainders and fp32 moments the break-even is 1/6, with bf16 moments 1/2.",
      .remedy = "Choose a larger fraction, or no offload.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "param_update_in_fp32=True: a kept 16-bit parameter has an fp32 master and fp32 moments on the GPU"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_part(facts) || facts.off("optimizer.use_precision_aware_optimizer")) return;
            const double share = offloaded_share(facts).value_or(1), with = 12 * (1 - share), without = bytes_without_offload(facts);
            if (with < without) return;
            report
                .add("fraction " + fraction_text(facts) + " saves nothing: what stays on the GPU needs " + bytes_text(with) +
                     " bytes per parameter, the optimizer without offload " + bytes_text(without))
                .keys(
                    {"optimizer.optimizer_offload_fraction", "optimizer.use_precision_aware_optimizer", "optimizer.store_param_remainders"})
                .fix(Fix::Safety::kUnsafe, "offload everything", {set("optimizer.optimizer_offload_fraction", 1.0)})
                .fix(Fix::Safety::kDisplayOnly, "switch the offload off", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
