#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_stale_attr() {
  return {
      .code = "FORM-STALE-ATTR",
      .summary = "an attribute that no configuration class has",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .what = "A Python recipe assigns to an attribute that the configuration class does not have.",
      .why =
          "Dataclass instances take any attribute: a typing error is a dead setting, and the field meant keeps its value. "
          "Reading such a name back can raise an AttributeError in builder-style models.",
      .remedy = "Correct the name.",
      .evidence = {"src/megatron/bridge/training/config.py", "@dataclass without slots: instances take any attribute"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kUnknownKey || facts.form(remark.origin) != "python-recipe") continue;
              auto draft = report.add(remark.subject + " does not exist: the assignment has no effect" +
                                      (remark.suggestions.empty() ? "" : "; did you mean " + remark.suggestions.front() + "?"));
              draft.at(remark.origin);
              for (const auto& near : remark.suggestions) draft.fix(Fix::Safety::kDisplayOnly, "write " + near);
            }
          },
  };
}

}  // namespace spillway::validate::rules
