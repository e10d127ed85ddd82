#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_emerging() {
  return {
      .code = "OPT-EMERGING",
      .summary = "optimizer offload does not reach the matrices of an emerging optimizer",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .launchers = {Launcher::kBridge, Launcher::kMegatronLmYaml, Launcher::kMegatronCore},
      .what =
          "optimizer_cpu_offload is on and the optimizer is muon, dist_muon, adaptive_muon, soap or lion. In Megatron-LM itself no such "
          "run starts: the offload needs the precision-aware optimizer, and that needs adam.",
      .why =
          "The matrices that the emerging optimizer handles are never offloaded; only what is left to adam (embeddings, norms, biases) is, "
          "so far less is saved than the fraction suggests. Where the layer-wise optimizer wraps the others itself, the offload is refused "
          "when it is built.",
      .remedy = "Use adam to offload the whole state, or keep the emerging optimizer without offload.",
      .evidence = {"megatron/core/optimizer/__init__.py", "the hybrid optimizer is created for the adam and sgd groups only"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload")) return;
            const std::string name(facts.text("optimizer.optimizer"));
            if (!is_emerging(name)) return;
            report.add("with " + name + ", optimizer offload moves only what adam handles (embeddings, norms, biases), not the matrices")
                .keys({"optimizer.optimizer", "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")})
                .fix(Fix::Safety::kDisplayOnly, "switch the offload off", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
