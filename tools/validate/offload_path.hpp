#pragma once

#include <string_view>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// Which implementation of layer-level activation offload Transformer Engine runs.
/// Source: transformer_engine/pytorch/cpu_offload.py: V2 came with 2.10, NVTE_CPU_OFFLOAD_V1=1 brings V1 back.
enum class OffloadPath {
  kV1,
  kV2,
  kV2Unstated,  ///< V2, as long as the launch does not set the variable; nobody stated the environment.
};

/// Never counts as reading an unknown value: for findings that hold for V2 and say so.
OffloadPath offload_path(const Facts& facts);
/// For findings that V1 makes wrong: undecided when the environment is not stated.
bool offload_path_is_v1(const Facts& facts);
/// What a sentence about V2 adds when the environment is not stated; empty otherwise.
std::string_view unless_v1(OffloadPath path);

}  // namespace spillway::validate
