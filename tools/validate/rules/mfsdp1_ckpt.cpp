#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Megatron-LM always asks; Megatron-Bridge only where something is saved or loaded, and only of version 1.
bool asks_for_format(const Facts& facts) {
  if (!uses_megatron_fsdp(facts)) return false;
  if (facts.megatron_lm()) return true;
  return !uses_megatron_fsdp_v2(facts) && (!facts.is_null("checkpoint.save") || !facts.is_null("checkpoint.load"));
}

}  // namespace

Rule mfsdp1_ckpt() {
  return {
      .code = "MFSDP1-CKPT",
      .summary = "Megatron-FSDP saves and loads only as fsdp_dtensor",
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .raises =
          {{.place = Place::kValidateArgs,
            .sequence = 1169,
            .type = "AssertionError",
            .text = "Megatron FSDP only supports fsdp_dtensor checkpoint format",
            .launchers = {Launcher::kMegatronLm},
            .until = Core::k0_17},
           {.place = Place::kValidateArgs,
            .sequence = 1169,
            .type = "AssertionError",
            .text = "Megatron-FSDP requires the `fsdp_dtensor` checkpointing format.",
            .launchers = {Launcher::kMegatronLm},
            .since = Core::k0_18},
           {Place::kBridge, 1484, "AssertionError", "Megatron-FSDP requires the fsdp_dtensor checkpointing format!", {Launcher::kBridge}}},
      .what =
          "Megatron-FSDP is on and ckpt_format is not fsdp_dtensor. Megatron-Bridge asks only when checkpoint.save or checkpoint.load is "
          "set.",
      .why = "The shards are DTensors, which the other formats cannot store; the run is refused. The default format is torch_dist.",
      .remedy = "Set ckpt_format to fsdp_dtensor.",
      .evidence = {"megatron/training/arguments.py", "if args.use_megatron_fsdp: assert args.ckpt_format == \"fsdp_dtensor\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!asks_for_format(facts) || facts.is("checkpoint.ckpt_format", "fsdp_dtensor")) return;
            report.add("Megatron-FSDP needs ckpt_format fsdp_dtensor, not " + facts.value("checkpoint.ckpt_format").str())
                .keys({"checkpoint.ckpt_format", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                .fix(Fix::Safety::kSafe, "save as fsdp_dtensor", {set("checkpoint.ckpt_format", "fsdp_dtensor")});
          },
  };
}

}  // namespace spillway::validate::rules
