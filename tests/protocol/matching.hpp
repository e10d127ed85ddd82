#pragma once

#include <string>

#include "tools/config/value.hpp"

namespace spillway::protocol {

/// Why a value is not as expected; empty when it is. Objects may hold more than is expected, lists may not; in an expected text `*`
/// stands for anything; an expected `null` says that the member is absent.
std::string mismatch(const config::Value& expected, const config::Value& actual, const std::string& where = "");

}  // namespace spillway::protocol
