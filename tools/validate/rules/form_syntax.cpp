#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// An unbracketed comma has a rule of its own.
bool is_list_word(const Facts& facts, const config::Remark& remark) {
  for (const auto& other : facts.remarks())
    if (other.kind == config::Remark::Kind::kListString && other.origin.source == remark.origin.source &&
        other.origin.line == remark.origin.line && other.origin.column == remark.origin.column)
      return true;
  return false;
}

constexpr std::string_view kKeyCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$@-";

/// The line that Hydra's parser puts before its reference, for the mistakes that are common; of others only that there is one.
std::string problem(const std::string& word) {
  const auto equals = word.find('=');
  const auto end = word.find_first_not_of(kKeyCharacters);
  if (word.starts_with('-') || (end != std::string::npos && word[end] == ' ')) {
    const std::size_t at = word.starts_with('-') ? 0 : end;
    return "LexerNoViableAltException: " + word + "\n" + std::string(std::string_view("LexerNoViableAltException: ").size() + at, ' ') +
           "^\n";
  }
  if (end != std::string::npos && word[end] == ':' && equals == std::string::npos)
    return "Error parsing override '" + word + "'\nmissing EQUAL at ':'\n";
  if (equals == std::string::npos) return "";
  const std::string value = word.substr(equals + 1);
  if (value.starts_with('='))
    return "Error parsing override '" + word +
           "'\nextraneous input '=' expecting {<EOF>, ':', BRACKET_OPEN, BRACE_OPEN, FLOAT, INT, BOOL, NULL, UNQUOTED_CHAR, ID, ESC, WS, "
           "QUOTED_VALUE, INTERPOLATION}\n";
  if (value.starts_with('[') && value.find(']') == std::string::npos) return "no viable alternative at input '" + value + "'\n";
  return "";
}

}  // namespace

Rule form_syntax() {
  return {
      .code = "FORM-SYNTAX",
      .summary = "an override word that is not in the grammar",
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kParse,
                  0,
                  "OverridesError",
                  "Failed to parse Hydra overrides: {}See https://hydra.cc/docs/1.2/advanced/override_grammar/basic for details",
                  {Launcher::kBridge}}},
      .what =
          "A word among the overrides is not of the form KEY=VALUE as Hydra reads it: an option with dashes, a blank in the key, `:` for "
          "`=`, `==`, an unclosed bracket.",
      .why = "Hydra parses all overrides before it applies any, so this comes first.",
      .remedy = "Correct the word; quote brackets and braces for the shell.",
      .evidence = {"src/megatron/bridge/training/utils/omegaconf_utils.py",
                   "OverridesError(f\"Failed to parse Hydra overrides: {e}\") from hydra's override grammar"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kSyntax || is_list_word(facts, remark)) continue;
              report.add("`" + remark.subject + "` is no override: " + remark.detail)
                  .at(remark.origin)
                  .raise(0, {problem(remark.subject)})
                  .sequence(parse_sequence(facts, remark));
            }
          },
  };
}

}  // namespace spillway::validate::rules
