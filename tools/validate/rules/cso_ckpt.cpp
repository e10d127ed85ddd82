#include <string>

#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Optimizer state goes into checkpoints, or comes out of one.
bool keeps_state(const Facts& facts) {
  const bool saves = facts.on("checkpoint.save") && facts.on("checkpoint.save_optim");
  return saves || (facts.on("checkpoint.load") && facts.on("checkpoint.load_optim") && facts.off("checkpoint.finetune"));
}

}  // namespace

Rule cso_ckpt() {
  return {
      .code = "CSO-CKPT",
      .summary = "the chunked offload is saved and loaded as torch_dist only",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::kDev,
      .raises = {{Place::kValidateArgs, 2052, "AssertionError",
                  "chunked optimizer state offload requires --ckpt-format torch_dist when optimizer state is saved or loaded because its "
                  "sharded load hooks preserve CPU canonical storage"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on, optimizer state is saved or loaded, and "
          "ckpt_format is not torch_dist.",
      .why = "Megatron-LM refuses it.",
      .remedy = "Use torch_dist, or leave optimizer state out of the checkpoints.",
      .evidence = {"megatron/training/arguments.py",
                   "assert ..., \"chunked optimizer state offload requires --ckpt-format torch_dist when optimizer state is saved or "
                   "loaded because its sharded load hooks preserve CPU canonical storage\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(!facts.is("checkpoint.ckpt_format", "torch_dist") && keeps_state(facts))) return;
            report
                .add("ckpt_format is " + std::string(facts.text("checkpoint.ckpt_format")) +
                     "; the chunked optimizer-state offload is saved and loaded as torch_dist only")
                .keys({"checkpoint.ckpt_format", "optimizer.chunked_optimizer_state_offload"})
                .fix(Fix::Safety::kUnsafe, "save as torch_dist", {set("checkpoint.ckpt_format", "torch_dist")});
          },
  };
}

}  // namespace spillway::validate::rules
