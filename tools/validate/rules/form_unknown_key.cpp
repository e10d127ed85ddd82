#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The path of a model field in the other style.
std::string other_style(const std::string& path) {
  constexpr std::string_view kBuilder = "model.transformer.";
  return path.starts_with(kBuilder) ? "model." + path.substr(kBuilder.size())
                                    : std::string(kBuilder) + path.substr(std::string_view("model.").size());
}

/// What stands behind `KEY=` in the source.
std::string value_as_written(const Facts& facts, const config::Setting& setting) {
  const auto line = facts.line(setting.origin);
  const std::string start = setting.origin.spelling + "=";
  const auto at = line.find(start);
  if (at == std::string_view::npos) return setting.value.str();
  const auto rest = line.substr(at + start.size());
  return std::string(rest.substr(0, rest.find_first_of(" \t'\\")));
}

}  // namespace

Rule form_unknown_key() {
  return {
      .code = "FORM-UNKNOWN-KEY",
      .summary = "an override of a key that the configuration does not have",
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kParse,
                  0,
                  "OverridesError",
                  "Failed to parse Hydra overrides: Could not override '{}'.\nTo append to your config use +{}={}",
                  {Launcher::kBridge}}},
      .what =
          "An override word a.b=c names a key that does not exist. Models of the builder style have the fields of the transformer below "
          "model.transformer, the others directly below model, and each exists only under its own path. env_vars has the keys that the "
          "recipe sets and no others.",
      .why =
          "Hydra refuses the override. Written with `+` it would be accepted and then dropped with a warning, except below env_vars, where "
          "it takes effect.",
      .remedy = "Correct the key.",
      .evidence = {"src/megatron/bridge/training/utils/omegaconf_utils.py",
                   "OverridesError(f\"Failed to parse Hydra overrides: {e}\") from hydra's \"Could not override\""},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kUnknownKey || !remark.detail.starts_with('=')) continue;
              const std::string key = remark.subject.empty() ? "" : std::string(spelled_key(remark.origin));  // `=true` has none
              auto draft = report.add("the configuration has no key " + (key.empty() ? "''" : with_suggestions(key, remark)));
              draft.at(remark.origin).with({key, key, remark.detail.substr(1)}).sequence(apply_sequence(remark.origin));
              for (const auto& near : remark.suggestions) draft.fix(Fix::Safety::kDisplayOnly, "write " + near);
            }
            for (const auto& setting : facts.settings()) {
              const std::string spelling = setting.origin.spelling;
              if (!in_override_word(facts, setting.origin) || spelling.starts_with('+') || facts.path_exists(spelling)) continue;
              const bool env = spelling.starts_with("env_vars.");
              report
                  .add("recipe " + std::string(facts.recipe()) + " has no key " + spelling +
                       (env ? "; add it with ++" : "; it is " + other_style(spelling) + " there"))
                  .keys({setting.key})
                  .at(setting.origin)
                  .with({spelling, spelling, value_as_written(facts, setting)})
                  .sequence(apply_sequence(setting.origin))
                  .fix(Fix::Safety::kDisplayOnly, "write " + (env ? "++" + spelling : other_style(spelling)));
            }
          },
  };
}

}  // namespace spillway::validate::rules
