#pragma once

#include <string_view>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// The run continues from a checkpoint: its run is stated, or the user (not a recipe) says where to load from.
bool resumes(const Facts& facts);

/// The run continues from a checkpoint and reads the optimizer's state from it.
bool loads_optimizer(const Facts& facts);

/// The run starts from weights that come without the optimizer's state: pretrained ones, or a checkpoint of which only those are read.
bool loads_weights_only(const Facts& facts);

/// How a run's distributed optimizer lays its state out in a checkpoint: `dp_reshardable`, `fully_reshardable`, `fsdp_dtensor`.
/// Source: NVIDIA/Megatron-LM, megatron/training/checkpointing.py, and the like of Megatron-Bridge.
std::string_view optimizer_layout(const Facts& facts);

/// The run that wrote the optimizer state which this run reads; nullptr when it reads none or the run is not stated. In the latter case
/// the rule counts as unchecked where the user says that there is a checkpoint.
const Facts* loaded_run(const Facts& facts);

/// The run whose layout the checkpoint has: the saved one where stated, else this run as it would save.
const Facts& writer(const Facts& facts);

/// Optimizer offload with the distributed optimizer, which is what lays state out.
bool offloads_sharded(const Facts& facts);

}  // namespace spillway::validate
