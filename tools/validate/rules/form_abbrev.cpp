#include "base/text.hpp"
#include "tools/validate/flag_spelling.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_abbrev() {
  return {
      .code = "FORM-ABBREV",
      .summary = "options are not abbreviated",
      .stage = Stage::kParse,
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kParse, kUnrecognized, "ArgumentError", "unrecognized arguments: {}", {Launcher::kMegatronLm}}},
      .what = "An option is the beginning of an existing one.",
      .why =
          "Megatron-LM's parser takes no abbreviations, though argparse's default does; it reports all options that it does not know "
          "together, and the run ends with exit status 2.",
      .remedy = "Write the option in full.",
      .evidence = {"megatron/training/arguments.py", "argparse.ArgumentParser(allow_abbrev=False), parser.parse_args()"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              const auto meant = completions(facts, remark);
              if (meant.empty()) continue;
              report.add("no option of Megatron-LM: " + remark.subject + " (the full name is " + join(meant, " or ") + ")")
                  .at(remark.origin)
                  .with({unrecognized_words(facts)})
                  .fix(Fix::Safety::kDisplayOnly, "write " + meant.front() + " instead of " + remark.subject);
            }
          },
  };
}

}  // namespace spillway::validate::rules
