#include "tools/validate/graph_edits.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

const std::set<std::string> kExpertModules{"expert_fc1", "fused_group_mlp", "moe_act"};

std::set<std::string> others(const std::set<std::string>& names) {
  std::set<std::string> out;
  for (const auto& name : names)
    if (!kExpertModules.contains(name)) out.insert(name);
  return out;
}

}  // namespace

Rule fgo_cg_local_modules() {
  return {
      .code = "FGO-CG-LOCAL-MODULES",
      .summary = "with local CUDA graphs only expert modules can be offloaded",
      .since = Core::k0_19,
      .raises = {{Place::kTransformerConfig, 2934, "AssertionError",
                  "fine-grained activation offloading with cuda_graph_impl='local' only supports offload_modules 'expert_fc1', 'moe_act', "
                  "and 'fused_group_mlp'. Unsupported offload_modules: {}."}},
      .what =
          "fine_grained_activation_offloading is on, CUDA graphs are local (cuda_graph_impl=local or the deprecated enable_cuda_graph), "
          "and offload_modules has anything but expert_fc1, moe_act and fused_group_mlp.",
      .why =
          "Local graphs capture attention and norms, and their captured copies cannot be offloaded. Megatron-Core refuses the combination "
          "when the model configuration is built.",
      .remedy =
          "Use cuda_graph_impl=transformer_engine, which supports the attention modules; or offload only expert modules; or switch graphs "
          "off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "unsupported_offload_modules = offload_modules - {\"expert_fc1\", \"moe_act\", \"fused_group_mlp\"}; assert not "
                   "unsupported_offload_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.graphs().impl != "local") return;
            const auto unsupported = others(facts.offload_modules());
            if (unsupported.empty()) return;
            report.add("local CUDA graphs allow offloading expert modules only, not " + enumerated(unsupported))
                .keys({"model.offload_modules", "model.cuda_graph_impl", "model.enable_cuda_graph"})
                .with({config::Value(without({unsupported.begin(), unsupported.end()}, {})).repr()})
                .fix(Fix::Safety::kDisplayOnly, "use Transformer Engine's graphs", capture_with(facts, "transformer_engine"))
                .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
          },
  };
}

}  // namespace spillway::validate::rules
