#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_fulliter_nan() {
  return {
      .code = "CG-FULLITER-NAN",
      .summary = "full-iteration graphs need the NaN check off",
      .stage = Stage::kBridge,
      .launchers = {Launcher::kBridge, Launcher::kMegatronLm},
      .raises = {{Place::kValidateArgs,
                  1236,
                  "AssertionError",
                  "--no-check-for-nan-in-loss-and-grad should be set with --cuda-graph-impl=full_iteration for training.",
                  {Launcher::kMegatronLm},
                  Core::k0_18},
                 {Place::kValidateArgs,
                  1236,
                  "AssertionError",
                  "--no-check-for-nan-in-loss-and-grad should be set with --cuda-graph-scope=full_iteration for training. Note: If you are "
                  "trying to use full_iteration CUDA graphs for inference, please use --cuda-graph-scope full_iteration_inference instead",
                  {Launcher::kMegatronLm},
                  Core::k0_16,
                  Core::k0_17},
                 {Place::kBridge,
                  1510,
                  "AssertionError",
                  "check_for_nan_in_loss must be disabled when using full_iteration CUDA graph. Set "
                  "rerun_state_machine.check_for_nan_in_loss=False.",
                  {Launcher::kBridge}}},
      .what = "The CUDA graph spans the whole iteration while check_for_nan_in_loss is on, which it is by default.",
      .why = "The check reads the loss on the host in the middle of the iteration, which a captured graph cannot do.",
      .remedy = "Switch the check off: --no-check-for-nan-in-loss-and-grad, or rerun_state_machine.check_for_nan_in_loss=false in Bridge.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.cuda_graph_impl == \"full_iteration\": assert not args.check_for_nan_in_loss_and_grad"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.graphs().whole_iteration) return;
            if (facts.core() < Core::k0_18 && facts.graphs().impl != "local") return;
            if (facts.off("rerun_state_machine.check_for_nan_in_loss")) return;
            report.add("a full-iteration CUDA graph cannot check the loss for NaN, and check_for_nan_in_loss is on")
                .keys({"rerun_state_machine.check_for_nan_in_loss", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kSafe, "switch the NaN check off", {set("rerun_state_machine.check_for_nan_in_loss", false)});
          },
  };
}

}  // namespace spillway::validate::rules
