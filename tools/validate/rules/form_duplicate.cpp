#include "base/text.hpp"

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

std::string last_part(std::string_view spelling) { return std::string(spelling.substr(spelling.rfind('.') + 1)); }

}  // namespace

Rule form_duplicate() {
  return {
      .code = "FORM-DUPLICATE",
      .summary = "a key or option given twice in one source",
      .severity = Severity::kInfo,
      .stage = Stage::kParse,
      .what = "The same key or option stands twice in one source.",
      .why =
          "The later one wins without a word, in argparse, Hydra and plain YAML alike; for an option with several values the earlier "
          "values are gone too. OmegaConf, which loads an override YAML of Megatron-Bridge, refuses the file.",
      .remedy = "Remove the one that is not meant.",
      .evidence = {"argparse.py", "the action of a repeated option stores again"},
      .check =
          [](const Facts& facts, Report& report) {
            std::vector<std::string> keys;
            const config::Remark* first = nullptr;
            std::size_t count = 0;
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kDuplicate) continue;
              if (facts.form(remark.origin) == "bridge-yaml") {
                report.add(remark.subject + " is given twice in one file, which OmegaConf refuses to load")
                    .severity(Severity::kError)
                    .natural("ConstructorError", "found duplicate key " + last_part(remark.origin.spelling))
                    .at(remark.origin);
                continue;
              }
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
