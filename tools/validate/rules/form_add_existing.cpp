#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_add_existing() {
  return {
      .code = "FORM-ADD-EXISTING",
      .summary = "`+` on a key that exists already",
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kParse,
                  0,
                  "OverridesError",
                  "Failed to parse Hydra overrides: Could not append to config. An item is already at '{}'.\nEither remove + prefix: "
                  "'{}'\nOr add a second + to add or override '{}': '++{}'\n",
                  {Launcher::kBridge}}},
      .what = "An override word +a.b=c names a key that the configuration has.",
      .why = "Hydra refuses to append what is there.",
      .remedy = "Write a.b=c, or ++a.b=c to set the key whether it exists or not.",
      .evidence = {"src/megatron/bridge/training/utils/omegaconf_utils.py",
                   "OverridesError(f\"Failed to parse Hydra overrides: {e}\") from hydra's \"Could not append to config\""},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kAddExisting) continue;

              const std::string key(spelled_key(remark.origin));
              if (!facts.path_exists(key)) continue;
              const std::string word = key + remark.detail;
              report.add(key + " exists already, so + cannot add it")
                  .keys({remark.subject})
                  .at(remark.origin)
                  .with({key, word, key, word})
                  .sequence(apply_sequence(remark.origin))
                  .fix(Fix::Safety::kDisplayOnly, "write " + word);
            }
          },
  };
}

}  // namespace spillway::validate::rules
