#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_fraction_zero() {
  return {
      .code = "OPT-FRACTION-ZERO",
      .summary = "optimizer offload is on but the fraction offloads nothing",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what =
          "optimizer_cpu_offload is on and optimizer_offload_fraction is 0 or below. 0.0 is the default everywhere except on the command "
          "line of Megatron-LM, where it is 1.0: the switch alone does nothing in Megatron-Bridge.",
      .why =
          "No memory is saved, and the hybrid optimizer is used all the same: it ignores the dtypes asked for the optimizer state and "
          "changes what a checkpoint holds.",
      .remedy = "Set optimizer_offload_fraction to the share wanted, or switch the offload off.",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "optimizer_offload_fraction: float = 0.0"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            const auto share = offloaded_share(facts);
            if (!share || *share > 0) return;
            const config::Setting* setting = facts.setting("optimizer.optimizer_offload_fraction");
            const bool stated = setting != nullptr && setting->origin.source >= 0, recipe = setting != nullptr && !facts.recipe().empty();
            const std::string origin = stated ? "" : recipe ? " as in the recipe" : ", the default";
            const std::string cost =
                facts.on("optimizer.use_precision_aware_optimizer") ? ", and the fp32 masters it keeps on the GPU cost extra" : "";
            report
                .add("optimizer_cpu_offload is on but optimizer_offload_fraction is " + fraction_text(facts) + origin +
                     ": nothing is offloaded" + cost)
                .keys({"optimizer.optimizer_offload_fraction", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "offload everything", {set("optimizer.optimizer_offload_fraction", 1.0)})
                .fix(Fix::Safety::kDisplayOnly, "switch the offload off", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
