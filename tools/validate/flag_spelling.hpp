#pragma once

#include <string>
#include <vector>

#include "tools/validate/facts.hpp"

namespace spillway::validate {

/// The existing option of Megatron-LM that an unknown one is but for its underscores; empty when it is none.
std::string dashed(const Facts& facts, const config::Remark& remark);

/// The existing options of Megatron-LM that an unknown one is the beginning of, a few at most; none when it has underscores.
std::vector<std::string> completions(const Facts& facts, const config::Remark& remark);

}  // namespace spillway::validate
