#include "tools/validate/fine_grained.hpp"

#include "tools/validate/name_lists.hpp"

namespace spillway::validate {

bool offloads_fine(const Facts& facts, std::string_view module) {
  return facts.on("model.fine_grained_activation_offloading") && facts.offloads(module);
}

std::set<std::string> offloaded_in_experts(const Facts& facts) {
  if (facts.off("model.fine_grained_activation_offloading")) return {};
  return common(facts.offload_modules(), {"expert_fc1", "fused_group_mlp", "moe_act"});
}

std::set<std::string> offloaded_in_captured_attention(const Facts& facts) {
  if (facts.off("model.fine_grained_activation_offloading")) return {};
  const Graphs& graphs = facts.graphs();
  if (graphs.impl != "transformer_engine" || !graphs.has("attn")) return {};
  return common(facts.offload_modules(), {"attn_proj", "core_attn", "qkv_linear"});
}

bool has_grouped_experts(const Facts& facts) {
  if (facts.integer("model.num_moe_experts") <= 0 || facts.off("model.moe_grouped_gemm")) return false;
  return facts.core() > config::Core::k0_16 || facts.off("model.moe_use_legacy_grouped_gemm");
}

}  // namespace spillway::validate
