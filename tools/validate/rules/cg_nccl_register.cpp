#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_nccl_register() {
  return {
      .code = "CG-NCCL-REGISTER",
      .summary = "Transformer Engine graphs with expandable segments want NCCL_GRAPH_REGISTER=0",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_17,
      .raises = {{Place::kValidateArgs, 1962, "AssertionError",
                  "Setting NCCL_GRAPH_REGISTER=0 to avoid illegal memory access when using CUDA Graph with "
                  "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True."}},
      .what =
          "cuda_graph_impl is transformer_engine, PYTORCH_CUDA_ALLOC_CONF contains expandable_segments:True and NCCL_GRAPH_REGISTER is not "
          "0. "
          "Looked at only where the environment of the launch is stated.",
      .why =
          "NCCL would register captured buffers whose addresses the expandable segments move; Megatron-LM refuses to start rather than "
          "crash "
          "with an illegal memory access.",
      .remedy = "Export NCCL_GRAPH_REGISTER=0.",
      .evidence = {"megatron/training/arguments.py",
                   "assert \"expandable_segments:True\" not in os.getenv(\"PYTORCH_CUDA_ALLOC_CONF\", \"\") or "
                   "os.getenv(\"NCCL_GRAPH_REGISTER\", \"\") == \"0\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.env_stated()) return;
            const auto allocator = facts.env("PYTORCH_CUDA_ALLOC_CONF");
            if (!allocator || allocator->find("expandable_segments:True") == std::string::npos) return;
            if (facts.env("NCCL_GRAPH_REGISTER") == "0" || facts.graphs().impl != "transformer_engine") return;
            report.add("Transformer Engine graphs with expandable_segments:True need NCCL_GRAPH_REGISTER=0 in the environment")
                .keys({"env.NCCL_GRAPH_REGISTER", "env.PYTORCH_CUDA_ALLOC_CONF", "model.cuda_graph_impl"})
                .fix(Fix::Safety::kDisplayOnly, "export NCCL_GRAPH_REGISTER=0 in the launch", {})
                .fix(Fix::Safety::kDisplayOnly, "run without CUDA graphs", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
