#include "tools/validate/moe_overlap.hpp"

#include "tools/validate/report.hpp"

namespace spillway::validate {

bool overlap_from_comm_overlap(const Facts& facts) { return facts.bridge() && facts.on(kExpertOverlapOfBridge); }

std::vector<Edit> without_expert_overlap(const Facts& facts) {
  return {set(overlap_from_comm_overlap(facts) ? kExpertOverlapOfBridge : kExpertOverlap, false)};
}

}  // namespace spillway::validate
