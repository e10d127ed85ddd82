#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Another rule reports it as an error.
bool refused(const Facts& facts, const config::Setting& setting) {
  return in_override_word(facts, setting.origin) && !setting.origin.spelling.starts_with('+');
}

}  // namespace

Rule form_nested_model() {
  return {
      .code = "FORM-NESTED-MODEL",
      .summary = "a field of the transformer is given by the path of the other style of model",
      .severity = Severity::kInfo,
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .what =
          "The recipe's model is of the builder style, which has the transformer's fields below model.transformer, and a YAML file, a "
          "Python recipe or an override with ++ gives one directly below model.",
      .why =
          "Bridge and Python find it through the model. A plain override by the same path is refused (FORM-UNKNOWN-KEY), and in models of "
          "the other style it is the longer path that does not exist.",
      .remedy = "Nothing to do; write the recipe's own path to have one that works everywhere.",
      .evidence = {"src/megatron/bridge/models/gpt/gpt_builder.py",
                   "GPTModelConfig.__getattr__ and __setattr__ forward to self.transformer"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.recipe().empty() || !facts.builder_style()) return;
            for (const auto& setting : facts.settings()) {
              const std::string path(spelled_key(setting.origin));
              if (!path.starts_with("model.") || refused(facts, setting) || facts.path_exists(path)) continue;
              report
                  .add(path + " is model.transformer." + path.substr(6) +
                       " in this model: it is found there, but an override by this path is refused")
                  .keys({setting.key})
                  .at(setting.origin);
            }
          },
  };
}

}  // namespace spillway::validate::rules
