#include "base/text.hpp"

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_duplicate() {
  return {
      .code = "FORM-DUPLICATE",
      .summary = "a key or option given twice in one source",
      .severity = Severity::kInfo,
      .stage = Stage::kParse,
      .what = "The same key or option stands twice in one source.",
      .why =
          "The later one wins without a word, in argparse, Hydra and YAML alike; for an option with several values the earlier values "
          "are gone too.",
      .remedy = "Remove the one that is not meant.",
      .evidence = {"argparse.py", "the action of a repeated option stores again"},
      .check =
          [](const Facts& facts, Report& report) {
            std::vector<std::string> keys;
            const config::Remark* first = nullptr;
            std::size_t count = 0;
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kDuplicate) continue;
              if (first == nullptr) first = &remark;
              if (++count <= 5) keys.push_back(remark.origin.spelling.empty() ? remark.subject : remark.origin.spelling);
            }
            if (first == nullptr) return;
            report
                .add("given twice, the later one wins: " + join(keys, ", ") +
                     (count > keys.size() ? " and " + std::to_string(count - keys.size()) + " more" : ""))
                .at(first->origin);
          },
  };
}

}  // namespace spillway::validate::rules
