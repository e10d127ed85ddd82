#include <string>

#include "tools/validate/rule.hpp"
#include "tools/validate/scenario.hpp"

namespace spillway::validate::rules {

namespace {

/// The value survives, in whatever spelling.
bool is_kept(const Facts& facts, const config::Setting& setting) {
  if (!facts.derived(setting.key)) return true;
  const auto& value = facts.value(setting.key);
  return value == setting.value || (value.string() != nullptr && facts.dtype(setting.key) == dtype_name(setting.value.str()));
}

}  // namespace

Rule brg_mp_overwrite() {
  return {
      .code = "BRG-MP-OVERWRITE",
      .summary = "the mixed-precision section overwrites what other sections set",
      .severity = Severity::kInfo,
      .stage = Stage::kBridge,
      .launchers = {Launcher::kBridge},
      .what = "A field of model, optimizer or ddp is set that the mixed-precision section has too, with another value.",
      .why =
          "Bridge copies the fields of mixed_precision onto the sections when it validates, so that what was set there is lost without a "
          "word.",
      .remedy = "Set it in mixed_precision instead.",
      .evidence = {"src/megatron/bridge/training/mixed_precision.py",
                   "MixedPrecisionConfig.setup copies its fields onto model, optimizer and ddp"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& setting : facts.settings()) {
              if (facts.setting(setting.key) != &setting || setting.value.is_unknown() || facts.form(setting.origin) == "bridge-dump")
                continue;
              const auto dot = setting.key.rfind('.');
              if (dot == std::string::npos || !is_mixed_precision_field(setting.key.substr(dot + 1)) || is_kept(facts, setting)) continue;
              const std::string field = setting.key.substr(dot + 1);
              report
                  .add(setting.key + "=" + setting.value.str() + " is overwritten with " + facts.value(setting.key).str() +
                       " by mixed_precision")
                  .keys({setting.key, "mixed_precision." + field})
                  .at(setting.origin)
                  .fix(Fix::Safety::kDisplayOnly, "set mixed_precision." + field + ", or mixed_precision to null");
            }
          },
  };
}

}  // namespace spillway::validate::rules
