#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_missing_value() {
  return {
      .code = "FORM-MISSING-VALUE",
      .summary = "an option without the value it needs",
      .stage = Stage::kParse,
      .raises = {{Place::kParse, 0, "ArgumentError", "argument {}: expected {}", {Launcher::kMegatronLm}}},
      .what =
          "An option that takes one or more values is followed by another option, or by nothing. A shell variable that is empty has the "
          "same effect.",
      .why = "argparse refuses it at once.",
      .remedy = "Give the value, or leave the option out.",
      .evidence = {"megatron/training/arguments.py", "add_argument(...), add_argument(..., nargs='+')"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kMissingValue) continue;

              report.add(remark.subject + " needs a value: " + remark.detail + " expected")
                  .at(remark.origin)
                  .with({remark.subject, remark.detail})
                  .sequence(parse_sequence(facts, remark));
            }
          },
  };
}

}  // namespace spillway::validate::rules
