#pragma once

#include <vector>

#include "tools/validate/rule.hpp"

namespace spillway::validate {

/// Failures and facts with a stable code that no rule decides, because no setting shows them: they have a page (`what` says why there is
/// no check) and no `check`. Logs name them.
std::vector<Rule> not_static();

}  // namespace spillway::validate
