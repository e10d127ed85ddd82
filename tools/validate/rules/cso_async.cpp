#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_async() {
  return {
      .code = "CSO-ASYNC",
      .summary = "the chunked offload cannot be saved asynchronously",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::kDev,
      .raises = {{Place::kValidateArgs, 2060, "AssertionError",
                  "chunked optimizer state offload does not support --async-save when optimizer state is saved because the background "
                  "writer can retain tensors backed by reusable pinned CPU buffers"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on and checkpoints with optimizer state are "
          "saved asynchronously.",
      .why = "Megatron-LM refuses it.",
      .remedy = "Save synchronously, or without optimizer state.",
      .evidence = {"megatron/training/arguments.py",
                   "assert ..., \"chunked optimizer state offload does not support --async-save when optimizer state is saved because the "
                   "background writer can retain tensors backed by reusable pinned CPU buffers\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(facts.on("checkpoint.async_save") && facts.on("checkpoint.save") && facts.on("checkpoint.save_optim"))) return;
            report
                .add(
                    "async_save is on with the chunked optimizer-state offload, whose host buffers are used again while the writer still "
                    "reads them")
                .keys({"checkpoint.async_save", "optimizer.chunked_optimizer_state_offload"})
                .fix(Fix::Safety::kDisplayOnly, "save synchronously", {switch_off(facts, "checkpoint.async_save")});
          },
  };
}

}  // namespace spillway::validate::rules
