#pragma once

#include <string>
#include <vector>

#include "base/style.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::render {

/// `all launchers`, or the names of those a rule concerns.
std::string launchers_of(const Rule& rule);
/// `all versions`, `0.18 and later`, `up to 0.17`, or a range.
std::string versions_of(const Rule& rule);

/// Each rule in full: condition, reason, remedy, what Megatron prints, evidence.
std::string rule_pages(const std::vector<Rule>& rules, const Style& style);
/// One line a rule, below 20 KB however many there are.
std::string rule_list(const std::vector<Rule>& rules, const Style& style);

}  // namespace spillway::validate::render
