#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_delay_flag() {
  static constexpr std::string_view kKey = "model.delay_offload_until_cuda_graph";
  return {
      .code = "FGO-DELAY-FLAG",
      .summary = "delaying offloads past a graph replay matters only for experts with Transformer Engine's graphs",
      .severity = Severity::kWarning,
      .stage = Stage::kForward,
      .since = Core::k0_19,
      .what =
          "fine_grained_activation_offloading and delay_offload_until_cuda_graph are on, but CUDA graphs are not Transformer Engine's, or "
          "neither expert_fc1 nor moe_act is offloaded.",
      .why = "The flag only holds back the copies of those two modules while such a graph replays; otherwise it is ignored.",
      .remedy = "Remove delay_offload_until_cuda_graph, or use it with cuda_graph_impl=transformer_engine and expert modules.",
      .evidence = {"megatron/core/transformer/moe/experts.py",
                   "group_offload(…, delay_offload=self.config.delay_offload_until_cuda_graph)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.off(kKey)) return;
            const bool graphs = facts.graphs().impl == "transformer_engine";
            if (graphs && (facts.offloads("expert_fc1") || facts.offloads("moe_act"))) return;
            report
                .add(std::string("delay_offload_until_cuda_graph has no effect: ") +
                     (graphs ? "neither expert_fc1 nor moe_act is offloaded"
                             : "CUDA graphs are " + facts.graphs().impl + ", not transformer_engine"))
                .keys({kKey, "model.cuda_graph_impl", "model.offload_modules"})
                .fix(Fix::Safety::kSafe, "remove the flag", {switch_off(facts, kKey)});
          },
  };
}

}  // namespace spillway::validate::rules
