#pragma once

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// The run trains adapters (Megatron-Bridge's `peft` section is an object).
bool uses_peft(const Facts& facts);

}  // namespace spillway::validate
