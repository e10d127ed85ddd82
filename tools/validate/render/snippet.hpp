#pragma once

#include <string>
#include <string_view>

#include "base/style.hpp"
#include "tools/config/train_config.hpp"

namespace spillway::validate::render {

/// `file:line:column` of a place, as far as it is known; empty when no source gave it.
std::string place(const config::Origin& origin, const config::TrainConfig& config);

/// The line of a place with its number and a mark under what stands there; empty when the line is not known.
/// Long lines are cut around the mark, what steers a terminal is spelled out.
std::string snippet(const config::Origin& origin, const config::TrainConfig& config, const Style& style);

}  // namespace spillway::validate::render
