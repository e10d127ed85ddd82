#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_nvte_v1() {
  static constexpr std::string_view kVariable = "NVTE_CPU_OFFLOAD_V1";
  return {
      .code = "FGO-NVTE-V1",
      .summary = "fine-grained offload needs NVTE_CPU_OFFLOAD_V1=1 with Transformer Engine 2.10 or newer",
      .stage = Stage::kBridge,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_16,
      .raises =
          {{Place::kValidateArgs,
            1938,
            "AssertionError",
            "For fine-grained activation offloading with TE >= 2.10.0, NVTE_CPU_OFFLOAD_V1 should be set to 1 to avoid offloading weights.",
            {Launcher::kMegatronLm}},
           {Place::kBridge,
            1507,
            "ValueError",
            "For fine-grained activation offloading with TE >= 2.10.0, NVTE_CPU_OFFLOAD_V1 environment variable should be set to 1 to "
            "avoid offloading weights.",
            {Launcher::kBridge}}},
      .what =
          "fine_grained_activation_offloading is on, Transformer Engine is 2.10 or newer, and the environment variable NVTE_CPU_OFFLOAD_V1 "
          "is not exactly 1 (true is not enough) where the run is launched. Megatron-LM and Bridge check it; plain Megatron-Core and "
          "--yaml-cfg do not.",
      .why =
          "The offload manager marks weights through Transformer Engine's first offload path, which is only consulted when the variable is "
          "1; without it weights would be offloaded too.",
      .remedy =
          "Export NVTE_CPU_OFFLOAD_V1=1 in the launch script. In Bridge env_vars.NVTE_CPU_OFFLOAD_V1=1 does it too (on the command line "
          "written with ++ when the recipe has no such key), but a value that the shell exports wins, even an empty one. Keep "
          "cpu_offloading_activations true: with the variable set, Transformer Engine checks it even when layer-level offload is off.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.fine_grained_activation_offloading: if is_te_min_version(\"2.10.0\"): assert "
                   "os.getenv(\"NVTE_CPU_OFFLOAD_V1\", \"0\") == \"1\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.te() < Version{2, 10, 0}) return;
            const auto value = facts.env(kVariable);
            if (value == "1") return;
            auto finding = report.add("NVTE_CPU_OFFLOAD_V1 is " + (value ? "\"" + *value + "\"" : std::string("not set")) +
                                      "; fine-grained offload with Transformer Engine " + facts.te().str() + " needs exactly 1");
            finding.keys({"env_vars.NVTE_CPU_OFFLOAD_V1", "env.NVTE_CPU_OFFLOAD_V1", "model.fine_grained_activation_offloading"});
            // Bridge copies env_vars only over what is not exported already, an empty text included.
            const bool exported = value && facts.value("env_vars.NVTE_CPU_OFFLOAD_V1").str() != *value;
            if (facts.bridge() && !exported)
              finding.fix(Fix::Safety::kSafe, "set the variable through env_vars", {set("env_vars.NVTE_CPU_OFFLOAD_V1", 1)});
            else
              finding.fix(Fix::Safety::kSafe, "export NVTE_CPU_OFFLOAD_V1=1 before the launch", {set("env.NVTE_CPU_OFFLOAD_V1", "1")});
          },
  };
}

}  // namespace spillway::validate::rules
