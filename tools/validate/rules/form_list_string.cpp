#include "base/text.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

config::List items(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) text = text.substr(1, text.size() - 2);
  config::List list;
  for (const auto item : split(text, ',')) list.emplace_back(trim(item));
  return list;
}

/// The reader found that Hydra would refuse the word.
bool is_sweep(const Facts& facts, const config::Remark& remark) {
  for (const auto& other : facts.remarks())
    if (other.kind == config::Remark::Kind::kSyntax && other.origin.source == remark.origin.source &&
        other.origin.line == remark.origin.line && other.origin.column == remark.origin.column)
      return true;
  return false;
}

}  // namespace

Rule form_list_string() {
  return {
      .code = "FORM-LIST-STRING",
      .summary = "a list written as one text",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .raises = {{Place::kParse, 0, "OverridesError", "", {Launcher::kBridge}}},
      .what =
          "A field that is a list is given one text with commas (or one word). As an override word without brackets, a comma asks Hydra "
          "for one run for each value.",
      .why =
          "Hydra refuses the unbracketed comma. A text that gets through is read character by character, and the module names are then "
          "unknown letters.",
      .remedy = "Write [a,b], quoted for the shell.",
      .evidence = {"hydra/core/override_parser/overrides_parser.py", "an unbracketed comma is a choice sweep"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kListString) continue;
              const std::string list = "[" + remark.detail + "]";
              auto draft = report.add(remark.subject + " is a list, but is given the text " + config::Value(remark.detail).repr());
              draft.keys({remark.subject}).at(remark.origin);
              if (is_sweep(facts, remark))
                draft.raise(0).sequence(parse_sequence(facts, remark));
              else
                draft.severity(Severity::kWarning);
              draft.fix(Fix::Safety::kUnsafe, "write " + list, {set(remark.subject, items(remark.detail))});
            }
          },
  };
}

}  // namespace spillway::validate::rules
