#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_none_string() {
  return {
      .code = "FORM-NONE-STRING",
      .summary = "the word None is a text, not null",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .what = "A value is the word None in an override word, YAML or JSON. Only null (in YAML also ~ and nothing) means no value there.",
      .why =
          "The field gets the text \"None\", which counts as set: recompute_granularity then is neither full nor selective, and switches "
          "count as on.",
      .remedy = "Write null.",
      .evidence = {"omegaconf", "None is a plain scalar of YAML and of the override grammar, so it stays a text"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kNoneString) continue;

              report.add(remark.subject + " is the text 'None', not null")
                  .keys({remark.subject})
                  .at(remark.origin)
                  .fix(Fix::Safety::kUnsafe, "write null", {set(remark.subject, config::Null{})});
            }
          },
  };
}

}  // namespace spillway::validate::rules
