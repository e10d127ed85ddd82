#pragma once

#include <string>
#include <vector>

#include "base/style.hpp"
#include "tools/config/train_config.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate::render {

/// The answer for a reader: the conclusion, then each finding with the line it is about, what Megatron prints and the ways out,
/// then what is missing, assumed and left open. Below 20 KB unless details are asked for: what does not fit is named by code.
/// Shape: `understood` is what the caller's arguments were taken for.
std::string text(const Answer& answer, const config::TrainConfig& config, const std::vector<std::string>& understood, const Style& style);

}  // namespace spillway::validate::render
