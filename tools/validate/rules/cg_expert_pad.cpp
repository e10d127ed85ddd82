#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_expert_pad() {
  return {
      .code = "CG-EXPERT-PAD",
      .summary = "local CUDA graphs with expert parallelism want padded experts in 0.17",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_17,
      .until = Core::k0_17,
      .raises = {{Place::kValidateArgs, 1730, "AssertionError",
                  "--moe-pad-experts-for-cuda-graph-inference must be set when using CUDA graphs with expert parallelism"}},
      .what =
          "Megatron-LM 0.17: cuda_graph_impl is local, expert parallelism is used and --moe-pad-experts-for-cuda-graph-inference is not "
          "given.",
      .why = "The arguments are refused, in training as well.",
      .remedy = "Give the option, use Transformer Engine's graphs, or use Megatron-Core 0.18 or later.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.cuda_graph_impl == \"local\" and args.expert_model_parallel_size > 1: assert "
                   "args.moe_pad_experts_for_cuda_graph_inference"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.integer("model.expert_model_parallel_size", 1) <= 1 || facts.graphs().impl != "local") return;
            if (facts.on("model.moe_pad_experts_for_cuda_graph_inference")) return;
            report.add("local CUDA graphs with expert parallelism need --moe-pad-experts-for-cuda-graph-inference in this version")
                .keys({"model.moe_pad_experts_for_cuda_graph_inference", "model.cuda_graph_impl", "model.expert_model_parallel_size"})
                .fix(Fix::Safety::kUnsafe, "pad the experts", {set("model.moe_pad_experts_for_cuda_graph_inference", true)})
                .fix(Fix::Safety::kDisplayOnly, "use Transformer Engine's graphs", capture_with(facts, "transformer_engine"));
          },
  };
}

}  // namespace spillway::validate::rules
