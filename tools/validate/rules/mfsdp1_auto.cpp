#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mfsdp1_auto() {
  return {
      .code = "MFSDP1-AUTO",
      .summary = "Megatron-FSDP v1 switches the distributed optimizer on by itself",
      .severity = Severity::kInfo,
      .stage = Stage::kArgs,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_18,
      .what =
          "Megatron-FSDP v1 is on while use_distributed_optimizer is off, or while reuse_grad_buf_for_mxfp8_param_ag is on. Both are "
          "changed before anything else looks at them.",
      .why = "What runs is not what is written: the state is sharded by the distributed optimizer, and no gradient buffer is reused.",
      .remedy = "Write what runs, so that the configuration tells the truth.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.use_megatron_fsdp: args.use_distributed_optimizer = True; args.reuse_grad_buf_for_mxfp8_param_ag = False"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!uses_megatron_fsdp(facts) || uses_megatron_fsdp_v2(facts)) return;
            if (!facts.raw("optimizer.use_distributed_optimizer").truthy())
              report.add("Megatron-FSDP v1 switches use_distributed_optimizer on")
                  .keys({"optimizer.use_distributed_optimizer", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                  .fix(Fix::Safety::kSafe, "write it down", {set("optimizer.use_distributed_optimizer", true)});
            if (facts.raw("optimizer.reuse_grad_buf_for_mxfp8_param_ag").truthy())
              report.add("Megatron-FSDP switches reuse_grad_buf_for_mxfp8_param_ag off")
                  .keys({"optimizer.reuse_grad_buf_for_mxfp8_param_ag", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                  .fix(Fix::Safety::kSafe, "write it down", {remove("optimizer.reuse_grad_buf_for_mxfp8_param_ag")});
          },
  };
}

}  // namespace spillway::validate::rules
