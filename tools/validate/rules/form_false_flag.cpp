#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_false_flag() {
  return {
      .code = "FORM-FALSE-FLAG",
      .summary = "`--flag: false` in a functional test passes the word false",
      .stage = Stage::kParse,
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kParse, kUnrecognized, "ArgumentError", "unrecognized arguments: {}"}},
      .what =
          "MODEL_ARGS of a functional test sets a switch to false. Only true becomes a bare option there; anything else becomes the option "
          "and a word.",
      .why = "The run gets `--flag false`, and argparse does not know what to do with the word.",
      .remedy = "Leave the key out.",
      .evidence = {"tests/functional_tests/shell_test_utils/_run_training.sh",
                   "value true: the bare flag; any other scalar: flag and value"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kFalseFlag) continue;

              report.add(remark.subject + ": " + remark.detail + " is handed over as two words; to switch it off, leave the key out")
                  .at(remark.origin)
                  .with({unrecognized_words(facts)});
              return;
            }
          },
  };
}

}  // namespace spillway::validate::rules
