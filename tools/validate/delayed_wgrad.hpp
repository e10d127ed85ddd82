#pragma once

#include "tools/validate/facts.hpp"

namespace spillway::validate {

inline constexpr std::string_view kDelayedWgrad = "model.delay_wgrad_compute";
inline constexpr std::string_view kDelayedWgradOfBridge = "comm_overlap.delay_wgrad_compute";

/// Delayed weight gradients are on where the launcher itself looks: an option of Megatron-LM, or Bridge's comm_overlap.
bool launcher_delays_wgrad(const Facts& facts);
/// CUDA graphs capture attention.
bool captures_attention(const Facts& facts);
/// CUDA graphs capture layers whose weight gradients would be delayed: attention, or the router together with a shared expert.
bool captures_delayed_wgrad(const Facts& facts);

}  // namespace spillway::validate
