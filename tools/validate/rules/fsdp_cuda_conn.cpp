#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fsdp_cuda_conn() {
  return {
      .code = "FSDP-CUDA-CONN",
      .summary = "Megatron-FSDP does not run with CUDA_DEVICE_MAX_CONNECTIONS=1",
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .raises = {{.place = Place::kValidateArgs,
                  .sequence = 1166,
                  .type = "AssertionError",
                  .text = "FSDP always requires CUDA_DEVICE_MAX_CONNECTIONS value large than one",
                  .launchers = {Launcher::kMegatronLm},
                  .until = Core::k0_17},
                 {.place = Place::kValidateArgs,
                  .sequence = 1166,
                  .type = "AssertionError",
                  .text = "FSDP requires CUDA_DEVICE_MAX_CONNECTIONS > 1 or unset.",
                  .launchers = {Launcher::kMegatronLm},
                  .since = Core::k0_18},
                 {Place::kBridge, 1485, "AssertionError", "FSDP requires CUDA_DEVICE_MAX_CONNECTIONS > 1 or unset.", {Launcher::kBridge}}},
      .what =
          "Megatron-FSDP is on (in Megatron-Bridge: its version 1) and the training process has CUDA_DEVICE_MAX_CONNECTIONS=1, exported or "
          "through env_vars.",
      .why =
          "One connection serialises the launches, so that gathering the next shards could not overlap with computing; both launchers "
          "refuse it. Tensor parallelism on older GPUs wants the opposite and is therefore a poor companion.",
      .remedy = "Unset the variable, or set it above 1.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.use_megatron_fsdp: assert os.environ.get('CUDA_DEVICE_MAX_CONNECTIONS') != \"1\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!uses_megatron_fsdp(facts) || (facts.bridge() && uses_megatron_fsdp_v2(facts))) return;
            if (facts.env("CUDA_DEVICE_MAX_CONNECTIONS") != "1") return;
            auto finding = report.add("Megatron-FSDP is on while CUDA_DEVICE_MAX_CONNECTIONS is 1; it must be above 1, or unset");
            finding.keys({"env_vars.CUDA_DEVICE_MAX_CONNECTIONS", "env.CUDA_DEVICE_MAX_CONNECTIONS", "ddp.use_megatron_fsdp",
                          "dist.use_megatron_fsdp"});
            if (facts.given("env_vars.CUDA_DEVICE_MAX_CONNECTIONS"))
              finding.fix(Fix::Safety::kDisplayOnly, "allow several connections", {set("env_vars.CUDA_DEVICE_MAX_CONNECTIONS", 32)});
            else
              finding.fix(Fix::Safety::kDisplayOnly, "unset CUDA_DEVICE_MAX_CONNECTIONS in the launch", {});
          },
  };
}

}  // namespace spillway::validate::rules
