#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/config/version.hpp"

namespace spillway::config {

/// The canonical key that a spelled path names: `model.transformer.x` is `model.x`; the paths under which a front end (see
/// front_ends.hpp) sets a field of Megatron's become that field. Any other path stays as it is.
/// Applying it twice changes nothing.
std::string canonical_key(std::string_view spelling);

/// The path belongs to a front end, whose own keys are nobody's mistake.
bool is_foreign_path(std::string_view spelling);

/// What the tables of upstream's keys and fields say of a canonical key.
struct KeyFacts {
  bool known = false;
  bool section = false;  ///< Has keys below it.
  bool boolean = false;  ///< Takes a boolean (or null) and nothing else.
  bool list = false;     ///< Takes a list (or null) and nothing else.
};
KeyFacts key_facts(std::string_view key, Core core);

/// Existing keys that an unknown one was probably meant to be, best first: neighbours in its section, then the same name elsewhere.
std::vector<std::string> suggest_keys(std::string_view key);

/// The parts behind and before the last dot; without a dot, all and nothing.
std::string_view last_part(std::string_view key);
std::string_view parent_part(std::string_view key);

}  // namespace spillway::config
