#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

/// The names of the GPUs that are known: `a100-40g`, `h100-80g`, `gb200`, …
std::vector<std::string_view> gpu_names();

/// The name that a person, a driver or a scheduler means: "H100", "NVIDIA H100 80GB HBM3", "A100-SXM4-40GB", "gb200_nvl72".
/// A family that comes in several sizes means its most common one unless the text names another.
/// Errors: nothing when no known family is named.
std::optional<std::string> gpu_spelling(std::string_view text);

}  // namespace spillway
