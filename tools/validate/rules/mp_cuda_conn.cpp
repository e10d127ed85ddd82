#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mp_cuda_conn() {
  return {
      .code = "MP-CUDA-CONN",
      .summary = "tensor or context parallelism before Blackwell wants CUDA_DEVICE_MAX_CONNECTIONS=1",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kValidateArgs, 1477, "AssertionError",
                  "Using tensor model parallelism or context parallelism require setting the environment variable "
                  "CUDA_DEVICE_MAX_CONNECTIONS to 1"}},
      .what =
          "Tensor or context parallelism is used without FSDP and without overlap_moe_expert_parallel_comm, and the environment of the "
          "launch is stated without CUDA_DEVICE_MAX_CONNECTIONS=1. An error on GPUs before Blackwell; a warning where the GPU is not "
          "stated, a note where the environment is not.",
      .why =
          "With one connection kernels start in the order they are queued, which the overlap of communication relies on. Megatron-LM "
          "refuses to start otherwise; from Blackwell on it does not ask.",
      .remedy = "Export CUDA_DEVICE_MAX_CONNECTIONS=1 in the launch script. Both FSDPs want the opposite.",
      .evidence =
          {"megatron/training/arguments.py",
           "if (TP > 1 or CP > 1) and get_device_arch_version() < 10: assert os.environ.get('CUDA_DEVICE_MAX_CONNECTIONS') == \"1\""},
      .check =
          [](const Facts& facts, Report& report) {
            const bool tensor = facts.integer("model.tensor_model_parallel_size", 1) > 1;
            if (!tensor && facts.integer("model.context_parallel_size", 1) <= 1) return;
            if (uses_fsdp(facts) || facts.on("model.overlap_moe_expert_parallel_comm") || facts.blackwell() == true) return;
            if (facts.env_stated() && facts.env("CUDA_DEVICE_MAX_CONNECTIONS") == "1") return;
            auto finding =
                report.add(std::string(tensor ? "tensor" : "context") + " parallelism needs CUDA_DEVICE_MAX_CONNECTIONS=1" +
                           (facts.blackwell() ? "" : " on GPUs before Blackwell") + (facts.env_stated() ? "" : " exported in the launch"));
            finding.keys({tensor ? "model.tensor_model_parallel_size" : "model.context_parallel_size", "env.CUDA_DEVICE_MAX_CONNECTIONS"})
                .fix(Fix::Safety::kDisplayOnly, "export CUDA_DEVICE_MAX_CONNECTIONS=1 in the launch", {});
            if (!facts.env_stated())
              finding.severity(Severity::kInfo).stage(Stage::kArgs);
            else if (!facts.blackwell())
              finding.severity(Severity::kWarning).stage(Stage::kArgs);
          },
  };
}

}  // namespace spillway::validate::rules
