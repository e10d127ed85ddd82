#include "tools/validate/moe_overlap.hpp"

#include "tools/validate/edits.hpp"

namespace spillway::validate {

bool overlap_from_comm_overlap(const Facts& facts) { return facts.bridge() && facts.on(kExpertOverlapOfBridge); }

std::vector<Edit> without_expert_overlap(const Facts& facts) {
  return {switch_off(facts, overlap_from_comm_overlap(facts) ? kExpertOverlapOfBridge : kExpertOverlap)};
}

}  // namespace spillway::validate
