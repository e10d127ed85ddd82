#pragma once

#include <optional>
#include <string>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// The share of the parameters that optimizer offload aims to move, as upstream's comparisons make it: 0 for a fraction below 0 or
/// NaN, 1 for one above 1; nothing when the fraction is no number.
std::optional<double> offloaded_share(const Facts& facts);

/// Optimizer offload is on and moves something.
bool offloads_some(const Facts& facts);

/// Optimizer offload is on and moves something, but not everything.
bool offloads_part(const Facts& facts);

/// One of the optimizers that work on whole matrices and leave the rest to another one: muon, soap, lion, …
bool is_emerging(std::string_view optimizer);

/// Megatron-FSDP or torch's FSDP2 shards the parameters.
bool uses_fsdp(const Facts& facts);
/// Megatron-FSDP, in either version; Bridge has the switch in two sections.
bool uses_megatron_fsdp(const Facts& facts);
/// Megatron-FSDP, in version 2.
bool uses_megatron_fsdp_v2(const Facts& facts);

/// The fraction as the user would write it: `0.25`.
std::string fraction_text(const Facts& facts);

}  // namespace spillway::validate
