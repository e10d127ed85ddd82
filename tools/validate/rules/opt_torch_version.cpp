#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_torch_version() {
  return {
      .code = "OPT-TORCH-VERSION",
      .summary = "optimizer offload is untested with torch before 2.3",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what = "optimizer_cpu_offload is on and torch is older than 2.3.0.",
      .why =
          "Upstream warns that training may not converge. Before 2.4 torch has no fused AdamW for the host, which the offload asks for (by "
          "reading the code).",
      .remedy = "Use a newer torch.",
      .evidence = {"megatron/core/optimizer/__init__.py", "if torch.__version__ < '2.3.0': warnings.warn(...)"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto torch = facts.torch();
            if (!torch || *torch >= Version{2, 3, 0} || facts.off("optimizer.optimizer_cpu_offload")) return;
            report
                .add("optimizer offload with torch " + torch->str() +
                     ": upstream recommends 2.3.0 or later and warns of convergence issues")
                .keys({"optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
