#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_grad_dtype_auto() {
  return {
      .code = "OPT-GRAD-DTYPE-AUTO",
      .summary = "the type of the gradient buffer follows from more than main_grads_dtype",
      .severity = Severity::kInfo,
      .stage = Stage::kConfig,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .what =
          "Megatron-LM: bf16 training states --main-grads-dtype fp32 and neither --accumulate-allreduce-grads-in-fp32 nor "
          "--grad-reduce-in-bf16; upstream switches the former on. Megatron-Bridge: main_grads_dtype is bf16 while ddp.grad_reduce_in_fp32 "
          "is on, or the other way round; the two are separate settings there.",
      .why = "The gradient buffer takes 4 bytes per parameter in fp32 and 2 in bf16, un-sharded.",
      .remedy = "State both settings as wanted.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.bf16 and args.main_grads_dtype == torch.float32: args.accumulate_allreduce_grads_in_fp32 = True"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || !facts.given("optimizer.main_grads_dtype") || facts.off("model.bf16"))
              return;
            const std::string dtype = facts.dtype("optimizer.main_grads_dtype");
            if (facts.megatron_lm()) {
              if (dtype != "float32" || facts.given("ddp.grad_reduce_in_fp32") || facts.given("args.grad_reduce_in_bf16")) return;
              report
                  .add(
                      "fp32 main gradients in bf16 training switch --accumulate-allreduce-grads-in-fp32 on: the gradient buffer takes 4 "
                      "bytes per parameter")
                  .keys({"optimizer.main_grads_dtype"});
            } else if (facts.bridge() && dtype == "bfloat16" && facts.on("ddp.grad_reduce_in_fp32")) {
              report.add("main_grads_dtype is bf16 but ddp.grad_reduce_in_fp32 is on: the gradient buffer stays fp32")
                  .keys({"ddp.grad_reduce_in_fp32", "optimizer.main_grads_dtype"});
            }
          },
  };
}

}  // namespace spillway::validate::rules
