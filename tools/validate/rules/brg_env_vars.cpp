#include <string>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule brg_env_vars() {
  return {
      .code = "BRG-ENV-VARS",
      .summary = "env_vars hold plain values, and exported variables win over them",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1, "TypeError", "Environment variable '{}' must have a scalar value, got {}."}},
      .what = "A value in env_vars is null, a list or a mapping; or the launch exports the same variable with another value.",
      .why =
          "Bridge copies env_vars into the process environment before anything is validated. What is no text, number or boolean is "
          "refused; a variable that is already exported, even as an empty text, keeps its value.",
      .remedy = "Write plain values, and say each variable in one place.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "if not isinstance(value, (str, int, float, bool)): raise TypeError; os.environ.setdefault(name, str(value))"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& setting : facts.settings()) {
              if (!setting.key.starts_with("env_vars.") || facts.setting(setting.key) != &setting) continue;
              std::string name = setting.key.substr(9);
              const auto& value = setting.value;
              const bool nested = name.find('.') != std::string::npos;
              if (nested) name = name.substr(0, name.find('.'));
              if (value.is_null() || value.list() != nullptr || value.map() != nullptr || nested) {
                const std::string type = nested || value.map() != nullptr ? "dict" : value.is_null() ? "NoneType" : "list";
                report
                    .add("env_vars." + name + " is " +
                         (type == "NoneType" ? "null"
                          : type == "list"   ? "a list"
                                             : "a mapping") +
                         "; the process environment takes plain values only")
                    .keys({setting.key})
                    .at(setting.origin)
                    .with({name, type})
                    .fix(Fix::Safety::kDisplayOnly, "write a text or a number");
                continue;
              }
              const auto exported = facts.exported(name);
              if (!exported || *exported == value.str()) continue;
              report
                  .add("env_vars." + name + "=" + value.str() + " has no effect: the launch exports " + name + "=" + *exported +
                       ", which wins")
                  .keys({setting.key})
                  .at(setting.origin)
                  .severity(Severity::kWarning)
                  .fix(Fix::Safety::kDisplayOnly, "export the value wanted, or unset " + name + " in the launch script");
            }
          },
  };
}

}  // namespace spillway::validate::rules
