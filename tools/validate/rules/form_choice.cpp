#include "base/text.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

/// Numbers print bare, words in quotes, as the choices have them.
std::string quoted(std::string_view value, std::string_view choices) {
  const bool numbers = is_number(trim(choices.substr(0, choices.find(','))));
  return numbers && is_number(value) ? std::string(value) : config::Value(value).repr();
}

std::string quoted_choices(std::string_view choices) {
  std::vector<std::string> out;
  for (const auto choice : split(choices, ',')) out.push_back(quoted(trim(choice), choices));
  return join(out, ", ");
}

}  // namespace

Rule form_choice() {
  return {
      .code = "FORM-CHOICE",
      .summary = "a value outside the choices of an option",
      .stage = Stage::kParse,
      .raises = {{Place::kParse, 0, "ArgumentError", "argument {}: invalid choice: {} (choose from {})", {Launcher::kMegatronLm}}},
      .what =
          "An option with fixed choices is given another value. Switching something off is done by leaving the option out, unless `none` "
          "is among the choices.",
      .why = "argparse refuses it at once.",
      .remedy = "Use one of the choices.",
      .evidence = {"megatron/training/arguments.py", "add_argument(..., choices=[...])"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kBadChoice) continue;

              auto draft =
                  report.add(remark.subject + " cannot be " + config::Value(remark.detail).repr() + "; choices: " + remark.expected);
              draft.at(remark.origin)
                  .with({remark.subject, quoted(remark.detail, remark.expected), quoted_choices(remark.expected)})
                  .sequence(parse_sequence(facts, remark));
              for (const auto& choice : remark.suggestions) draft.fix(Fix::Safety::kDisplayOnly, "write " + remark.subject + " " + choice);
              if (iequals(remark.detail, "none") || iequals(remark.detail, "off") || iequals(remark.detail, "null"))
                draft.fix(Fix::Safety::kDisplayOnly, "leave " + remark.subject + " out");
            }
          },
  };
}

}  // namespace spillway::validate::rules
