#include "base/text.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule form_tilde() {
  return {
      .code = "FORM-TILDE",
      .summary = "deleting a key with `~` does not reset it",
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kParse, 0, "OverridesError",
                  "Failed to parse Hydra overrides: Could not delete from config. '{}' does not exist."},
                 {Place::kParse, 0, "OverridesError",
                  "Failed to parse Hydra overrides: Could not delete from config. The value of '{}' is {} and not {}."}},
      .what = "An override word ~a.b asks Hydra to delete a key.",
      .why =
          "run_recipe.py takes a word for an override only when it holds `=`, so ~a.b is refused there and ~a.b= passes. Where it reaches "
          "Hydra, a key that is null or does not exist cannot be deleted, ~a.b=v fails unless v is the value, and a deletion that succeeds "
          "changes nothing: the object keeps its value.",
      .remedy = "Set the key to the value wanted, null for none.",
      .evidence = {"hydra/_internal/config_loader_impl.py",
                   "if config_val is None: raise ConfigCompositionException(\"Could not delete from config. '...' does not exist.\")"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kDeletedKey) continue;
              const std::string key(spelled_key(remark.origin));
              const auto& value = facts.raw(remark.subject);
              auto draft = report.add("~" + key + " does not reset the key: set it to the value wanted instead");
              draft.keys({remark.subject}).at(remark.origin).sequence(apply_sequence(remark.origin));
              if (value.is_null())
                draft.raise(0, {key});
              else if (remark.expected == "=" && !iequals(value.str(), remark.detail))
                draft.raise(1, {key, value.str(), remark.detail});
              else
                draft.severity(Severity::kWarning);
            }
          },
  };
}

}  // namespace spillway::validate::rules
