#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_non_adam() {
  return {
      .code = "OPT-NON-ADAM",
      .summary = "optimizer offload turns every optimizer but adam into SGD",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .launchers = {Launcher::kBridge, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .what =
          "optimizer_cpu_offload is on and the optimizer (or, for an emerging optimizer, the one that handles what is not a matrix) is not "
          "adam.",
      .why =
          "The hybrid optimizer knows two kinds: AdamW for adam, and SGD with momentum for anything else. sgd gets what it asks for, but a "
          "checkpoint in the fully reshardable format then fails to save; any other name trains with SGD without a word.",
      .remedy = "Use adam with optimizer offload.",
      .evidence = {"megatron/core/optimizer/__init__.py",
                   "if config.optimizer == 'adam': AdamW classes; else: SGD classes, momentum=config.sgd_momentum"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            const bool emerging = is_emerging(facts.text("optimizer.optimizer"));
            const std::string_view key = emerging ? "optimizer.muon_scalar_optimizer" : "optimizer.optimizer";
            const std::string name = facts.value(key).str();
            if (name == "adam" || (emerging && facts.is_null(key))) return;
            if (!emerging && name != "sgd" && facts.core() > Core::k0_16) return;  // no such optimizer: DOPT-UNKNOWN
            const std::string momentum = "torch's SGD with momentum " + facts.value("optimizer.sgd_momentum").str();
            report
                .add(name == "sgd" ? "optimizer offload with sgd runs " + momentum + "; saving in the fully reshardable format fails"
                                   : "optimizer offload replaces " + name + " by " + momentum + " without saying so")
                .keys({key, "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kUnsafe, "use adam", {set(key, "adam")});
          },
  };
}

}  // namespace spillway::validate::rules
