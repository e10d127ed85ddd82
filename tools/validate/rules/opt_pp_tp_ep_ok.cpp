#include "base/text.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule opt_pp_tp_ep_ok() {
  return {
      .code = "OPT-PP-TP-EP-OK",
      .summary = "optimizer offload is independent of parallelism, recompute and model graphs",
      .severity = Severity::kInfo,
      .stage = Stage::kBuild,
      .what = "Optimizer offload is on together with pipeline or expert parallelism, activation recompute or CUDA graphs of the model.",
      .why =
          "Nothing restricts the combination with tensor, sequence, pipeline, context or expert parallelism, recompute, graphs of the "
          "model or overlapped communication. Dense and expert parameters live in optimizer instances of their own, and the fraction "
          "applies to each.",
      .remedy = "Nothing to do; the graph of the optimizer itself (optimizer_cuda_graph) is another matter.",
      .evidence = {"megatron/core/optimizer/__init__.py",
                   "separate optimizers for dense and expert-parallel parameters, each given optimizer_offload_fraction"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_some(facts)) return;
            std::vector<std::string> with;
            if (facts.integer("model.pipeline_model_parallel_size", 1) > 1) with.push_back("pipeline parallelism");
            if (facts.integer("model.expert_model_parallel_size", 1) > 1) with.push_back("expert parallelism");
            if (!facts.is_null("model.recompute_granularity")) with.push_back("recompute");
            if (facts.graphs().any()) with.push_back("CUDA graphs of the model");
            if (with.empty()) return;
            const bool experts = offloads_part(facts) && facts.integer("model.num_moe_experts") > 0;
            report
                .add("optimizer offload works with " + join(with, ", ") +
                     (experts ? "; the fraction applies to dense and expert parameters separately" : ""))
                .keys({"optimizer.optimizer_cpu_offload"});
          },
  };
}

}  // namespace spillway::validate::rules
