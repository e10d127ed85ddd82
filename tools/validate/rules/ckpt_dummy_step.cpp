#include "tools/validate/checkpoints.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_dummy_step() {
  return {
      .code = "CKPT-DUMMY-STEP",
      .summary = "loading optimizer state into the offloaded optimizer takes a step on random gradients first",
      .severity = Severity::kInfo,
      .stage = Stage::kLoad,
      .what = "optimizer_cpu_offload resumes with optimizer state.",
      .why =
          "To have state to load into, the hybrid optimizer fills the gradients with random numbers and steps once. The weights that this "
          "changes are overwritten by the load; when it is partial and leaves weights out, those stay damaged. By reading the code.",
      .remedy = "Load weights and optimizer state together, and look twice at dist_ckpt_strictness settings that ignore missing weights.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py",
                   "dummy_step: param.grad = torch.randn_like(param); self.step()"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !loads_optimizer(facts)) return;
            report
                .add(
                    "the offloaded optimizer makes its state by one step on random gradients before the load: the weights have to be "
                    "loaded with it")
                .keys({"optimizer.optimizer_cpu_offload", "checkpoint.load"});
          },
  };
}

}  // namespace spillway::validate::rules
