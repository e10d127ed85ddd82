#include "tools/validate/peft.hpp"

#include <algorithm>

namespace spillway::validate {

bool uses_peft(const Facts& facts) {
  const auto by_user = [](const config::Setting* setting) { return setting != nullptr && setting->origin.source >= 0; };
  const config::Setting* whole = facts.setting("peft");
  // A section taken away takes with it what the recipe had in it.
  if (by_user(whole)) return !whole->value.is_null();
  const auto& settings = facts.settings();
  const auto in_section = [](const config::Setting& setting) { return setting.key.starts_with("peft."); };
  return facts.given("peft.target_modules") || std::any_of(settings.begin(), settings.end(), in_section);
}

}  // namespace spillway::validate
