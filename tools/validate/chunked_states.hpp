#pragma once

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// The chunked optimizer-state offload of Megatron-LM's dev branch is on, under its own name or its deprecated one, and moves something.
bool offloads_states(const Facts& facts);

/// The optimizer is Muon, by either of its names.
bool is_muon(const Facts& facts);

}  // namespace spillway::validate
