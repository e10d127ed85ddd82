#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// What keeps some parameters of a 16-bit model in fp32; empty when nothing known does.
std::string_view kept_in_fp32(const Facts& facts) {
  if (facts.on("model.enable_mhc_connections")) return "model.enable_mhc_connections";
  return facts.is("model.experimental_attention_variant", "dsv4_hybrid") ? "model.experimental_attention_variant" : "";
}

}  // namespace

Rule opt_fp32_native() {
  return {
      .code = "OPT-FP32-NATIVE",
      .summary = "optimizer offload fails on parameters that a 16-bit model keeps in fp32",
      .raises = {{Place::kBuildOptimizer, 1467, "ValueError", "can't optimize a non-leaf Tensor"}},
      .what =
          "optimizer_cpu_offload runs on the distributed optimizer in bf16 or fp16 training, and the model keeps some parameters in fp32: "
          "hyper connections (enable_mhc_connections) or the attention of DeepSeek-V4. Other models that mark parameters so are not "
          "recognised here.",
      .why =
          "The distributed optimizer hands over its shard of an fp32 parameter as a view that still belongs to it, which no torch "
          "optimizer takes: the run stops when the optimizer is built. By reading the code, and reported upstream.",
      .remedy = "Keep the optimizer on the GPU for such models.",
      .evidence = {"megatron/core/optimizer/distrib_optimizer.py", "shard_model_param = model_param.view(-1)[…] for fp32 parameters"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.off("optimizer.use_distributed_optimizer")) return;
            if (facts.off("optimizer.bf16") && facts.off("optimizer.fp16")) return;
            const std::string_view key = kept_in_fp32(facts);
            if (key.empty()) return;
            report
                .add(std::string(key.substr(6)) +
                     " keeps parameters in fp32, which optimizer offload cannot take from the distributed optimizer")
                .keys({key, "optimizer.optimizer_cpu_offload"})
                .fix(Fix::Safety::kDisplayOnly, "keep the optimizer on the GPU", {set("optimizer.optimizer_cpu_offload", false)});
          },
  };
}

}  // namespace spillway::validate::rules
