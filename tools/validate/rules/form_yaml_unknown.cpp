#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

bool in_yaml(const Facts& facts, const config::Origin& origin) {
  const auto form = facts.form(origin);
  return form == "bridge-yaml" || form == "bridge-dump";
}

}  // namespace

Rule form_yaml_unknown() {
  return {
      .code = "FORM-YAML-UNKNOWN",
      .summary = "a key of the YAML that the configuration drops",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .what =
          "An override YAML or a dump holds a key that the configuration does not have, or a field below model.transformer where the "
          "recipe's model has no such section.",
      .why =
          "YAML is merged without a check of its structure: the key is dropped with a log line `Key ... not found in config object ... "
          "Skipping.`",
      .remedy = "Correct the key, or leave it out.",
      .evidence = {"src/megatron/bridge/training/utils/omegaconf_utils.py",
                   "logger.warning: Key '{key}' in overrides not found in config object {type}. Skipping."},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kUnknownKey || !remark.detail.empty() || !in_yaml(facts, remark.origin)) continue;
              auto draft =
                  report.add("the configuration has no key " + with_suggestions(remark.subject, remark) + "; it is dropped with a warning");
              draft.at(remark.origin);
              for (const auto& key : remark.suggestions) draft.fix(Fix::Safety::kDisplayOnly, "write " + key);
            }
            for (const auto& setting : facts.settings()) {
              const auto& spelling = setting.origin.spelling;
              // The transformer's fields are found through the model where the model has a section for them: FORM-NESTED-MODEL.
              if (spelling.starts_with("env_vars.") || facts.builder_style()) continue;
              if (!in_yaml(facts, setting.origin) || facts.path_exists(spelling)) continue;
              report.add("recipe " + std::string(facts.recipe()) + " has no key " + spelling + ": it is dropped with a warning")
                  .keys({setting.key})
                  .at(setting.origin);
            }
          },
  };
}

}  // namespace spillway::validate::rules
