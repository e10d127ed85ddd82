#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule pao_main_grads_fp32() {
  return {
      .code = "PAO-MAIN-GRADS-FP32",
      .summary = "bf16 main gradients exclude accumulating gradients in fp32",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kValidateArgs, 1210, "AssertionError",
                  "--main-grads-dtype can only be fp32 when --accumulate-allreduce-grads-in-fp32 is set"}},
      .what = "Megatron-LM trains in bf16 with --accumulate-allreduce-grads-in-fp32 and a --main-grads-dtype other than fp32.",
      .why = "The arguments are refused: the gradient buffer cannot be both.",
      .remedy = "Drop one of the two options.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.bf16 and args.accumulate_allreduce_grads_in_fp32: assert args.main_grads_dtype == torch.float32"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.dtype("optimizer.main_grads_dtype") == "float32" || !facts.raw("ddp.grad_reduce_in_fp32").truthy() ||
                facts.off("model.bf16"))
              return;
            report
                .add("--main-grads-dtype " + facts.value("optimizer.main_grads_dtype").str() +
                     " contradicts --accumulate-allreduce-grads-in-fp32")
                .keys({"optimizer.main_grads_dtype", "ddp.grad_reduce_in_fp32"})
                .fix(Fix::Safety::kDisplayOnly, "accumulate in the type of --main-grads-dtype", {remove("ddp.grad_reduce_in_fp32")})
                .fix(Fix::Safety::kDisplayOnly, "use fp32 main gradients", {remove("optimizer.main_grads_dtype")});
          },
  };
}

}  // namespace spillway::validate::rules
