#include <algorithm>

#include "base/text.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// `--flag: false` of a functional test has a rule of its own.
bool is_false_flag(const Facts& facts, const config::Remark& remark) {
  if (!iequals(remark.detail, "false")) return false;
  const auto& all = facts.remarks();
  return std::any_of(all.begin(), all.end(), [&](const config::Remark& other) {
    return other.kind == config::Remark::Kind::kFalseFlag && other.subject == remark.subject && other.origin.source == remark.origin.source;
  });
}

}  // namespace

Rule form_flag_value() {
  return {
      .code = "FORM-FLAG-VALUE",
      .summary = "a value after an option that takes none",
      .stage = Stage::kParse,
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kParse, kUnrecognized, "ArgumentError", "unrecognized arguments: {}", {Launcher::kMegatronLm}},
                 {Place::kParse, 0, "ArgumentError", "argument {}: ignored explicit argument {}", {Launcher::kMegatronLm}}},
      .what = "A word follows an option that is a plain switch, such as `--optimizer-cpu-offload true`, or is attached to it with `=`.",
      .why =
          "A word that stands alone is left over and reported at the end of parsing; an attached one is refused at once. Either way the "
          "run ends with exit status 2.",
      .remedy = "Write the switch alone to set it and leave it out otherwise.",
      .evidence = {"megatron/training/arguments.py", "add_argument('--optimizer-cpu-offload', action='store_true')"},
      .check =
          [](const Facts& facts, Report& report) {
            std::vector<std::string> stray;
            const config::Remark* first = nullptr;
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kFlagValue || is_false_flag(facts, remark)) continue;
              if (!is_unrecognized(remark)) {
                report.add(remark.subject + " is a switch and takes no value, but is given " + config::Value(remark.detail).repr())
                    .at(remark.origin)
                    .raise(1, {remark.subject, config::Value(remark.detail).repr()})
                    .sequence(parse_sequence(facts, remark))
                    .fix(Fix::Safety::kDisplayOnly, "write " + remark.subject + " alone, or leave it out to switch it off");
                continue;
              }
              if (first == nullptr) first = &remark;
              if (stray.size() < 8) stray.push_back(remark.subject + " " + remark.detail);
            }
            if (first == nullptr) return;
            report.add("switches take no value: " + join(stray, "; "))
                .at(first->origin)
                .with({unrecognized_words(facts)})
                .fix(Fix::Safety::kDisplayOnly, "write " + first->subject + " alone, or leave it out to switch it off");
          },
  };
}

}  // namespace spillway::validate::rules
