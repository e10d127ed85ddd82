#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule brg_mimo() {
  return {
      .code = "BRG-MIMO",
      .summary = "a multi-module model goes without most of the checks",
      .severity = Severity::kWarning,
      .stage = Stage::kBridge,
      .launchers = {Launcher::kBridge},
      .what = "A MIMO container with some kind of offload.",
      .why =
          "Its validation takes a path of its own that only synchronises the distributed optimizer and checks deterministic mode. The "
          "dataclass checks run where a module's own configuration is finalized, Bridge's own ones not at all.",
      .remedy = "Check the configuration of each module by itself.",
      .evidence = {"src/megatron/bridge/training/config.py", "MIMO containers: only the checks that are safe for several modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") && facts.off("model.fine_grained_activation_offloading") &&
                facts.off("optimizer.optimizer_cpu_offload"))
              return;
            if (facts.model_class().find("MIMO") == std::string_view::npos && !facts.given("model.megatron_mimo_parallelism_config"))
              return;
            report
                .add(
                    "Bridge validates a multi-module (MIMO) model without its checks of models and offload: what is reported here may "
                    "first show when the modules are built")
                .keys({"model.megatron_mimo_parallelism_config", "model.cpu_offloading", "model.fine_grained_activation_offloading",
                       "optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
