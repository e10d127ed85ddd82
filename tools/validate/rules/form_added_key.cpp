#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_added_key() {
  return {
      .code = "FORM-ADDED-KEY",
      .summary = "an added override that the configuration drops",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .what = "An override word +a.b=c or ++a.b=c adds a key that the configuration does not have.",
      .why =
          "Hydra accepts it, but the object has no such field: the key is dropped with a log line `Key ... not found in config object ... "
          "Skipping.`",
      .remedy = "Correct the key, or leave it out.",
      .evidence = {"src/megatron/bridge/training/utils/omegaconf_utils.py",
                   "logger.warning: Key '{key}' in overrides not found in config object {type}. Skipping."},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kAddedKey) continue;

              auto draft = report.add("the configuration has no key " + with_suggestions(std::string(spelled_key(remark.origin)), remark) +
                                      "; added with + it is dropped with a warning");
              draft.at(remark.origin);
              for (const auto& key : remark.suggestions) draft.fix(Fix::Safety::kDisplayOnly, "write " + key);
            }
          },
  };
}

}  // namespace spillway::validate::rules
