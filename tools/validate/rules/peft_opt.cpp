#include <string>

#include "tools/validate/edits.hpp"
#include "tools/validate/peft.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule peft_opt() {
  return {
      .code = "PEFT-OPT",
      .summary = "optimizer offload saves little when only adapters are trained",
      .severity = Severity::kWarning,
      .stage = Stage::kStep,
      .what = "optimizer_cpu_offload in a run that trains adapters (PEFT).",
      .why =
          "The optimizer has state for trainable parameters only. With adapters these are about one in a hundred, so that there is next to "
          "nothing to offload, while each step still waits for the transfers. What fills the GPU then is the frozen weights and the "
          "activations.",
      .remedy = "Leave the optimizer on the GPU; offload or recompute activations instead.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py", "only parameters with requires_grad reach the optimizer"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !uses_peft(facts)) return;
            const int bytes = facts.on("optimizer.use_precision_aware_optimizer") ? 12 : 8;
            report
                .add("only the adapters are trained: optimizer_cpu_offload saves " + std::to_string(bytes) +
                     " bytes for each of their parameters and slows every step down")
                .keys({"optimizer.optimizer_cpu_offload", "peft.target_modules"})
                .fix(Fix::Safety::kUnsafe, "keep the optimizer on the GPU", {switch_off(facts, "optimizer.optimizer_cpu_offload")});
          },
  };
}

}  // namespace spillway::validate::rules
