#pragma once

#include <string>
#include <vector>

#include "tools/validate/finding.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {

/// The question with these keys changed, as if the user had written it so.
Question changed(const Question& question, const std::vector<Edit>& edits);

/// The one answer has less of what a finding of the other says: fewer findings of its rule that are as bad.
bool silences(const Answer& after, const Answer& before, const Finding& finding);

/// A fix that was taken, and the finding it was for.
struct TakenFix {
  std::string code;
  Fix fix;
};

/// What fixing comes to.
struct Fixing {
  std::vector<TakenFix> taken;  ///< In the order taken.
  std::vector<Edit> edits;      ///< All of theirs, the last one of each key.
  Answer answer;                ///< To the question with the edits.
};

/// Takes fixes one after another until no finding offers one more that helps: of each finding the first fix of the allowed
/// safety that silences it and brings no error that was not there. Fixes that a person must choose are never taken.
/// Cost: a validation for each fix tried; stops after kMaxFixes.
Fixing fix(const Question& question, Fix::Safety most);

inline constexpr int kMaxFixes = 100;

}  // namespace spillway::validate
