#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_async() {
  return {
      .code = "CKPT-ASYNC",
      .summary = "asynchronous saves of offloaded state take it from host memory as it is",
      .severity = Severity::kInfo,
      .stage = Stage::kSave,
      .what = "optimizer_cpu_offload together with asynchronous checkpoints.",
      .why =
          "An asynchronous save first copies what is on the GPU to the host; offloaded state is there already. Nothing upstream checks the "
          "combination, and host memory holds the state and the copies being written. By reading the code.",
      .remedy = "Nothing to do; leave room in host memory.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py", "no check of async_save"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("checkpoint.async_save") || facts.off("checkpoint.save_optim"))
              return;
            report
                .add(
                    "async_save hands out the offloaded optimizer state, which is in host memory already, while training goes on: no guard "
                    "is there")
                .keys({"checkpoint.async_save", "optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
