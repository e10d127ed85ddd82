#include "tools/validate/delayed_wgrad.hpp"

namespace spillway::validate {

bool launcher_delays_wgrad(const Facts& facts) {
  if (facts.megatron_lm()) return facts.on(kDelayedWgrad);
  return facts.bridge() && facts.on(kDelayedWgradOfBridge);
}

bool captures_attention(const Facts& facts) { return facts.graphs().any() && facts.graphs().has("attn"); }

bool captures_delayed_wgrad(const Facts& facts) {
  if (captures_attention(facts)) return true;
  if (!facts.graphs().any() || !facts.graphs().has("moe_router")) return false;
  return !facts.is_null("model.moe_shared_expert_intermediate_size") && facts.off("model.moe_shared_expert_overlap");
}

}  // namespace spillway::validate
