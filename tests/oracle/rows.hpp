#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/validate/validate.hpp"

namespace spillway::oracle {

/// The rows of a gzipped file of JSON lines; empty when it is not there.
std::vector<nlohmann::json> rows_of(const std::string& path);

/// Where recorded upstream data lies beside the checkout.
std::string shared_data(const std::string& name);

/// What a row about Megatron-Core's own classes asks.
validate::Question question_of(const nlohmann::json& row);

}  // namespace spillway::oracle
