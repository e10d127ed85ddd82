#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_fsdp() {
  return {
      .code = "CSO-FSDP",
      .summary = "the chunked offload does not go with Megatron-FSDP",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::kDev,
      .raises = {{Place::kValidateArgs, 2047, "AssertionError", "chunked optimizer state offload does not support Megatron-FSDP"}},
      .what = "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on under Megatron-FSDP.",
      .why = "Megatron-LM refuses it.",
      .remedy = "Use one of the two.",
      .evidence = {"megatron/training/arguments.py", "assert ..., \"chunked optimizer state offload does not support Megatron-FSDP\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.on("ddp.use_megatron_fsdp"))) return;
            report.add("use_megatron_fsdp is on with the chunked optimizer-state offload")
                .keys({"optimizer.chunked_optimizer_state_offload", "ddp.use_megatron_fsdp"})
                .fix(Fix::Safety::kDisplayOnly, "switch the chunked offload off",
                     {switch_off(facts, "optimizer.chunked_optimizer_state_offload"),
                      switch_off(facts, "optimizer.offload_optimizer_states")});
          },
  };
}

}  // namespace spillway::validate::rules
