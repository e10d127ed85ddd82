#pragma once

#include <string>
#include <vector>

#include "base/style.hpp"
#include "tools/validate/comparison.hpp"

namespace spillway::validate::render {

/// A comparison for a reader: the conclusion, what changed, the findings that appeared in full, those that went and stayed by code, then
/// what is missing and assumed. Below 20 KB unless details are asked for.
/// Shape: `before` and `after` are what was compared; `understood` is what the caller's arguments were taken for.
std::string comparison(const Comparison& comparison, const Question& before, const Question& after,
                       const std::vector<std::string>& understood, const Style& style);

}  // namespace spillway::validate::render
