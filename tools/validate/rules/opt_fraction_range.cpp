#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fraction_range() {
  return {
      .code = "OPT-FRACTION-RANGE",
      .summary = "the offload fraction is meant to lie within 0 and 1, and nothing checks it",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what = "optimizer_cpu_offload is on and optimizer_offload_fraction is below 0, above 1, not a number (NaN), or no number at all.",
      .why =
          "Upstream compares and multiplies with the value as it is: 0 and below, and NaN, offload nothing; 1 and above offload "
          "everything. A percentage such as 50 therefore means all. A text or null is only noticed when the optimizer is built (by reading "
          "the code).",
      .remedy = "Write the fraction as a number within 0 and 1.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py", "params_total_numel * offload_fraction"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            const auto fraction = facts.number("optimizer.optimizer_offload_fraction");
            if (fraction && *fraction >= 0 && *fraction <= 1) return;
            const auto& value = facts.value("optimizer.optimizer_offload_fraction");
            const std::string effect = !fraction       ? "it is no number, which upstream notices only when the optimizer is built"
                                       : *fraction > 1 ? "it acts like 1: everything is offloaded"
                                                       : "it acts like 0: nothing is offloaded";
            auto draft = report.add("optimizer_offload_fraction is " + value.repr() + " and should lie within 0 and 1; " + effect);
            draft.keys({"optimizer.optimizer_offload_fraction", "optimizer.optimizer_cpu_offload"});
            if (fraction && *fraction > 1 && *fraction <= 100)
              draft.fix(Fix::Safety::kDisplayOnly, "write the percentage as a fraction",
                        {set("optimizer.optimizer_offload_fraction", *fraction / 100)});
            draft.fix(Fix::Safety::kDisplayOnly, "offload everything", {set("optimizer.optimizer_offload_fraction", 1.0)});
          },
  };
}

}  // namespace spillway::validate::rules
