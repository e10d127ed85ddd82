#pragma once

#include <set>
#include <string>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// Fine-grained offload is on and names the module.
bool offloads_fine(const Facts& facts, std::string_view module);
/// What fine-grained offload names of expert_fc1, moe_act and fused_group_mlp; empty when it is off.
std::set<std::string> offloaded_in_experts(const Facts& facts);
/// What fine-grained offload names inside attention that Transformer Engine's CUDA graphs capture; empty when nothing.
std::set<std::string> offloaded_in_captured_attention(const Facts& facts);
/// The model has experts that run as one grouped GEMM, the only ones that know fine-grained offload.
bool has_grouped_experts(const Facts& facts);

}  // namespace spillway::validate
