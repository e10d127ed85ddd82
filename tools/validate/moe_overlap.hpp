#pragma once

#include <string_view>
#include <vector>

#include "tools/validate/facts.hpp"
#include "tools/validate/finding.hpp"

namespace spillway::validate {

inline constexpr std::string_view kExpertOverlap = "model.overlap_moe_expert_parallel_comm";
inline constexpr std::string_view kExpertOverlapOfBridge = "comm_overlap.overlap_moe_expert_parallel_comm";

/// Bridge's comm_overlap switches the overlap on; it then checks the model itself, before validate() starts.
bool overlap_from_comm_overlap(const Facts& facts);
/// Edits that switch the overlap off where the run switches it on.
std::vector<Edit> without_expert_overlap(const Facts& facts);

}  // namespace spillway::validate
