#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_bad_value() {
  return {
      .code = "FORM-BAD-VALUE",
      .summary = "a value of the wrong type for an option",
      .stage = Stage::kParse,
      .raises = {{Place::kParse, 0, "ArgumentError", "argument {}: invalid {} value: {}", {Launcher::kMegatronLm}}},
      .what = "An option that takes a whole number or a number is given something else, such as 2.0, 1M, 1e6 or 50%.",
      .why = "argparse refuses it at once. For numbers, nan and inf are accepted.",
      .remedy = "Write the number in full.",
      .evidence = {"megatron/training/arguments.py", "add_argument(..., type=int) and type=float"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kBadValue) continue;

              report
                  .add(remark.subject + " takes " + (remark.expected == "int" ? "a whole number" : "a value of type " + remark.expected) +
                       ", not " + config::Value(remark.detail).repr())
                  .at(remark.origin)
                  .with({remark.subject, remark.expected, config::Value(remark.detail).repr()})
                  .sequence(parse_sequence(facts, remark));
            }
          },
  };
}

}  // namespace spillway::validate::rules
