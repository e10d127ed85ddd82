#include "tools/validate/flag_spelling.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_underscore() {
  return {
      .code = "FORM-UNDERSCORE",
      .summary = "options are written with dashes",
      .stage = Stage::kParse,
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kParse, kUnrecognized, "ArgumentError", "unrecognized arguments: {}", {Launcher::kMegatronLm}}},
      .what = "An option is written with underscores where it has dashes, as frameworks around Megatron and its own Python code write it.",
      .why =
          "argparse knows one spelling of each option; it reports all that it does not know together, and the run ends with exit status 2.",
      .remedy = "Write it with dashes.",
      .evidence = {"megatron/training/arguments.py", "argparse.ArgumentParser(allow_abbrev=False), parser.parse_args()"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              const std::string meant = dashed(facts, remark);
              if (meant.empty()) continue;
              report.add("no option of Megatron-LM: " + remark.subject + " (it is " + meant + ")")
                  .at(remark.origin)
                  .with({unrecognized_words(facts)})
                  .fix(Fix::Safety::kDisplayOnly, "write " + meant + " instead of " + remark.subject);
            }
          },
  };
}

}  // namespace spillway::validate::rules
