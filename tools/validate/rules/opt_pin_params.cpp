#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_pin_params() {
  return {
      .code = "OPT-PIN-PARAMS",
      .summary = "what pin_cpu_params pins depends on the version",
      .severity = Severity::kInfo,
      .stage = Stage::kBuild,
      .what =
          "Optimizer offload moves something and pin_cpu_params is off. On main it then leaves the fp32 masters of offloaded 16-bit "
          "parameters in pageable memory. Up to the version that Megatron-Bridge pins, the setting is stored but never read: those masters "
          "are pageable anyway.",
      .why =
          "Copies of updated parameters back to the GPU are synchronous from pageable memory. The start-up copy, and the copies of fp32 "
          "parameters, are pinned whatever it says.",
      .remedy = "Leave pin_cpu_params on unless pinned memory is what runs out.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py", "fp32 master copy: pin_memory() if self.pin_cpu_params"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts) || facts.on("optimizer.pin_cpu_params")) return;
            const bool read = facts.core() >= Core::kMain;
            report
                .add(read ? "pin_cpu_params is off: the fp32 masters on the host are pageable, so updates travel back synchronously"
                          : "pin_cpu_params is off, but this version never reads it: fp32 masters of 16-bit parameters are pageable either "
                            "way")
                .keys({"optimizer.pin_cpu_params"})
                .fix(read ? Fix::Safety::kUnsafe : Fix::Safety::kSafe, "leave pin_cpu_params on", {set("optimizer.pin_cpu_params", true)});
          },
  };
}

}  // namespace spillway::validate::rules
