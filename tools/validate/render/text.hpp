#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/style.hpp"
#include "tools/config/train_config.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate::render {

/// The answer for a reader: the conclusion, then each finding with the line it is about, what Megatron prints and the ways out,
/// then what is missing, assumed and left open. Below 20 KB unless details are asked for: what does not fit is named by code.
/// Shape: `understood` is what the caller's arguments were taken for.
std::string text(const Answer& answer, const config::TrainConfig& config, const std::vector<std::string>& understood, const Style& style);

/// One finding in full: what is wrong and where, the line it is about, what Megatron prints, the ways out.
std::string finding_text(const Finding& finding, const Answer& answer, const config::TrainConfig& config, const Style& style);

/// A titled list, one line each, folded to what fits a glance unless details are asked for; empty when there is nothing in it.
std::string list_text(const Style& style, std::string_view title, const std::vector<std::string>& lines);

/// `judged for launcher bridge, mcore main`; empty when nothing is known.
std::string context_text(const Style& style, const std::vector<std::pair<std::string, std::string>>& context);

/// The verdict in its colour and the summary behind it.
std::string conclusion_text(const Style& style, std::string_view verdict, std::string_view summary);

}  // namespace spillway::validate::render
