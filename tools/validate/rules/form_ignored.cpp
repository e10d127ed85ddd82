#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_ignored() {
  return {
      .code = "FORM-IGNORED",
      .summary = "a part of the source was left out of the judgement",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .what =
          "The source holds something that reading alone does not follow: another training run, a further YAML document, a script that is "
          "sourced, a section of the wrong shape.",
      .why = "The verdict is about the rest. What was left out may change it.",
      .remedy = "Give that part as a source of its own, or state what it sets.",
      .evidence = {"the source itself", "what could not be followed"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks())
              if (remark.kind == config::Remark::Kind::kIgnored)
                report.add(remark.subject + " was left out: " + remark.detail).at(remark.origin);
          },
  };
}

}  // namespace spillway::validate::rules
