#include "tools/validate/checkpoints.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_no_init_state() {
  return {
      .code = "CKPT-NO-INIT-STATE",
      .summary = "optimizer state of fp32 training under offload loads only with the distributed optimizer",
      .raises = {{Place::kLoad, 2, "TypeError", "'NoneType' object is not callable"}},
      .what =
          "optimizer_cpu_offload in fp32 training without the distributed optimizer, and the run resumes with optimizer state from a "
          "distributed checkpoint.",
      .why = "The hybrid optimizer is handed no function that makes empty state, and the load calls it: a TypeError. By reading the code.",
      .remedy = "Use the distributed optimizer, or load without optimizer state.",
      .evidence = {"megatron/core/optimizer/optimizer.py",
                   "FP32Optimizer.sharded_state_dict: if is_loading: self.init_state_fn(self.optimizer, self.config)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || offloads_sharded(facts)) return;
            if (facts.on("optimizer.bf16") || facts.on("optimizer.fp16") || facts.is("checkpoint.ckpt_format", "torch")) return;
            if (!loads_optimizer(facts)) return;
            report
                .add(
                    "the offloaded optimizer of fp32 training has no way to make its state for a distributed checkpoint without the "
                    "distributed optimizer")
                .keys({"optimizer.use_distributed_optimizer", "optimizer.optimizer_cpu_offload", "checkpoint.load"})
                .fix(Fix::Safety::kUnsafe, "use the distributed optimizer", {set("optimizer.use_distributed_optimizer", true)})
                .fix(Fix::Safety::kDisplayOnly, "load the weights alone and start the optimizer afresh",
                     {switch_off(facts, "checkpoint.load_optim")});
          },
  };
}

}  // namespace spillway::validate::rules
