#include "base/text.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fraction_without_switch() {
  return {
      .code = "OPT-FRACTION-WITHOUT-SWITCH",
      .summary = "settings of the optimizer offload have no effect while it is off",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what =
          "optimizer_cpu_offload is off, and the fraction is above 0 or one of the overlap, pinning and torch switches is changed from its "
          "default. The default fraction of the Megatron-LM command line, 1.0, does not count.",
      .why = "All of them are read only when the switch is on, so nothing is offloaded.",
      .remedy = "Switch optimizer_cpu_offload on, or leave the settings out.",
      .evidence = {"megatron/core/optimizer/__init__.py", "if config.optimizer_cpu_offload:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.on("optimizer.optimizer_cpu_offload")) return;
            std::vector<std::string> idle;
            const auto collect = [&](std::string_view key, bool changed) {
              if (changed && facts.given(key)) idle.push_back(std::string(key.substr(key.find('.') + 1)) + " " + facts.value(key).str());
            };
            collect("optimizer.optimizer_offload_fraction", offloaded_share(facts).value_or(1) > 0);
            collect("optimizer.overlap_cpu_optimizer_d2h_h2d", facts.on("optimizer.overlap_cpu_optimizer_d2h_h2d"));
            collect("optimizer.use_torch_optimizer_for_cpu_offload", facts.on("optimizer.use_torch_optimizer_for_cpu_offload"));
            collect("optimizer.pin_cpu_grads", facts.off("optimizer.pin_cpu_grads"));
            collect("optimizer.pin_cpu_params", facts.off("optimizer.pin_cpu_params"));
            if (idle.empty()) return;
            report.add("optimizer_cpu_offload is off, so these have no effect: " + join(idle, ", "))
                .keys({"optimizer.optimizer_cpu_offload", "optimizer.optimizer_offload_fraction", "optimizer.overlap_cpu_optimizer_d2h_h2d",
                       "optimizer.use_torch_optimizer_for_cpu_offload", "optimizer.pin_cpu_grads", "optimizer.pin_cpu_params"})
                .fix(Fix::Safety::kDisplayOnly, "switch the offload on", {set("optimizer.optimizer_cpu_offload", true)});
          },
  };
}

}  // namespace spillway::validate::rules
