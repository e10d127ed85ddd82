#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/result.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::oracle {

/// The rows of a gzipped file of JSON lines; empty when it is not there.
std::vector<nlohmann::json> rows_of(const std::string& path);

/// Where recorded upstream data lies beside the checkout.
std::string shared_data(const std::string& name);

/// What a row asks, in any layer: fields of Megatron-Core's classes, an argument list, or a Bridge recipe with overrides (a dump that lies
/// beside the checkout is read as a file).
/// Errors: those of read_input.
Result<validate::Question> question_of(const nlohmann::json& row);

}  // namespace spillway::oracle
