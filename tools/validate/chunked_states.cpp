#include "tools/validate/chunked_states.hpp"

namespace spillway::validate {

bool offloads_states(const Facts& facts) {
  if (facts.off("optimizer.chunked_optimizer_state_offload") && facts.off("optimizer.offload_optimizer_states")) return false;
  return facts.number("optimizer.optimizer_state_offload_fraction").value_or(0) > 0;
}

bool is_muon(const Facts& facts) { return facts.is("optimizer.optimizer", "muon") || facts.is("optimizer.optimizer", "dist_muon"); }

}  // namespace spillway::validate
