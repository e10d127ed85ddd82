#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_eval() {
  return {
      .code = "ACT-EVAL",
      .summary = "layer-level offload has no effect without backward",
      .severity = Severity::kInfo,
      .stage = Stage::kForward,
      .what = "cpu_offloading is on in a run that skips training and only evaluates.",
      .why =
          "Nothing is saved for backward, so that there is nothing to offload; the hook after each layer is skipped while gradients are "
          "disabled.",
      .remedy = "Nothing to do; memory of an evaluation does not depend on cpu_offloading.",
      .evidence = {"megatron/core/transformer/transformer_block.py",
                   "if torch.is_grad_enabled() and self.config.cpu_offloading and self.group_prefetch_offload_commit_async is not None:"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const bool train = facts.on("train.skip_train");
            if (!train && facts.off("validation.skip_train")) return;
            report.add("training is skipped: cpu_offloading has no effect in an evaluation")
                .keys({train ? "train.skip_train" : "validation.skip_train", "model.cpu_offloading"});
          },
  };
}

}  // namespace spillway::validate::rules
