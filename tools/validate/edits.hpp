#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/validate/facts.hpp"
#include "tools/validate/finding.hpp"

namespace spillway::validate {

/// Edits that several rules offer, each written as the launcher can express it: Megatron-LM's option list knows neither null
/// nor false, there the option goes away.

Edit clear(const Facts& facts, std::string_view key);       ///< The value becomes null.
Edit switch_off(const Facts& facts, std::string_view key);  ///< The switch becomes false.

/// Layer-level activation offload off. Megatron-LM has no switch for it, only the number of layers.
std::vector<Edit> no_layer_offload(const Facts& facts);
/// No activation recompute: granularity, method and number of layers, of those that are written the ones that matter.
std::vector<Edit> no_recompute(const Facts& facts);
/// recompute_modules without one of its names.
std::vector<Edit> without_module(const Facts& facts, std::string_view module);
/// A list of names; Megatron-LM has no way to write an empty one, there the option goes away.
Edit set_names(const Facts& facts, std::string_view key, config::List names);
/// offload_modules without some of its names. When none is left, fine-grained offload goes off with them.
std::vector<Edit> without_offload_of(const Facts& facts, const std::set<std::string>& modules);
/// No recompute of one module, however it is asked for. When it was the only one, recompute goes off.
std::vector<Edit> without_recompute_of(const Facts& facts, std::string_view module);

}  // namespace spillway::validate
