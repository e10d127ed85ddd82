#include "base/text.hpp"

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_bool_string() {
  return {
      .code = "FORM-BOOL-STRING",
      .summary = "a boolean written as a text",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .what = "A switch is given a quoted true or false, or yes, no, on or off, which not every reader of YAML takes for a boolean.",
      .why = "Python takes every text that is not empty for true: \"false\" switches the feature on.",
      .remedy = "Write true or false without quotes.",
      .evidence = {"omegaconf", "a quoted scalar stays a text; the configuration objects do not convert it"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              const bool quoted = remark.kind == config::Remark::Kind::kBoolString;
              if (!quoted && remark.kind != config::Remark::Kind::kYaml11Bool) continue;
              const std::string text = lower(remark.detail);
              const bool meant = text == "true" || text == "yes" || text == "on" || text == "y";
              report
                  .add(remark.subject + (quoted ? " is the text '" + remark.detail + "', which counts as true"
                                                : " is " + remark.detail + ", which may be read as a text and then counts as true"))
                  .severity(quoted && meant ? Severity::kInfo : Severity::kWarning)
                  .keys({remark.subject})
                  .at(remark.origin)
                  .fix(meant ? Fix::Safety::kSafe : Fix::Safety::kUnsafe, std::string("write ") + (meant ? "true" : "false"),
                       {set(remark.subject, meant)});
            }
          },
  };
}

}  // namespace spillway::validate::rules
