#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_v1_env() {
  return {
      .code = "ACT-V1-ENV",
      .summary = "NVTE_CPU_OFFLOAD_V1=1 makes layer-level offload another one",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .what =
          "cpu_offloading is on, Transformer Engine is 2.10 or later, and NVTE_CPU_OFFLOAD_V1=1 is set, which fine-grained offload needs "
          "and layer-level offload does not. The variable is read when Transformer Engine is imported.",
      .why =
          "The older path offloads only tensors that modules mark, follows another schedule and ignores "
          "cpu_offloading_retain_pinned_cpu_buffers; double buffering works there.",
      .remedy = "Unset NVTE_CPU_OFFLOAD_V1 for runs with layer-level offload, unless the older path is wanted.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py",
                   "NVTE_CPU_OFFLOAD_V1 = os.environ.get(\"NVTE_CPU_OFFLOAD_V1\", \"0\") == \"1\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || facts.te() < Version{2, 10, 0} || !offload_path_is_v1(facts)) return;
            auto found = report.add(
                "NVTE_CPU_OFFLOAD_V1=1 selects Transformer Engine's older offload path for cpu_offloading: only marked tensors leave the "
                "GPU");
            found.keys({"env.NVTE_CPU_OFFLOAD_V1", "env_vars.NVTE_CPU_OFFLOAD_V1", "model.cpu_offloading"});
            std::vector<Edit> edits;
            for (const std::string_view key : {"env.NVTE_CPU_OFFLOAD_V1", "env_vars.NVTE_CPU_OFFLOAD_V1"})
              if (facts.given(key)) edits.push_back(set(key, "0"));
            if (edits.empty()) edits.push_back(set("env.NVTE_CPU_OFFLOAD_V1", "0"));
            found.fix(Fix::Safety::kUnsafe, "run without NVTE_CPU_OFFLOAD_V1", std::move(edits));
          },
  };
}

}  // namespace spillway::validate::rules
