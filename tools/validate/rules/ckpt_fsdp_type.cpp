#include "tools/validate/checkpoints.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_fsdp_type() {
  return {
      .code = "CKPT-FSDP-TYPE",
      .summary = "Megatron-FSDP has a checkpoint layout of its own",
      .raises = {{Place::kSave, 1517, "NotImplementedError", "sharding_type {} is not supported with Megatron FSDP."}},
      .what = "Megatron-FSDP with checkpoints in another format than fsdp_dtensor.",
      .why =
          "The distributed optimizer has no other layout for parameters that Megatron-FSDP shards. Megatron-Bridge and Megatron-LM mostly "
          "refuse the configuration before (MFSDP1-CKPT); where they do not, the save or the load stops.",
      .remedy = "Set ckpt_format to fsdp_dtensor.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py",
                   "if self.ddp_config.use_megatron_fsdp and sharding_type != 'fsdp_dtensor': raise NotImplementedError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("ddp.use_megatron_fsdp") && facts.off("dist.use_megatron_fsdp")) return;
            if (uses_megatron_fsdp_v2(facts) || optimizer_layout(facts) == "fsdp_dtensor") return;
            if (facts.off("checkpoint.save") && facts.off("checkpoint.load")) return;
            report.add("Megatron-FSDP cannot lay its optimizer state out as " + std::string(optimizer_layout(facts)))
                .keys({"checkpoint.ckpt_format", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                .with({std::string(optimizer_layout(facts))})
                .fix(Fix::Safety::kUnsafe, "save as fsdp_dtensor", {set("checkpoint.ckpt_format", "fsdp_dtensor")});
          },
  };
}

}  // namespace spillway::validate::rules
