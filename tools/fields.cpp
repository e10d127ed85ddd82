#include "tools/fields.hpp"

#include <algorithm>

namespace spillway {

const Field* Fields::find(std::string_view name) const {
  const auto found = std::find_if(list_.begin(), list_.end(), [&](const Field& field) { return field.name == name; });
  return found == list_.end() ? nullptr : &*found;
}

std::string flag_of(const Field& field) {
  std::string flag(field.flag.empty() ? field.name : field.flag);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

bool repeats(const Field& field) {
  return std::holds_alternative<std::vector<std::string>*>(field.slot) || std::holds_alternative<Pairs*>(field.slot);
}

bool is_switch(const Field& field) {
  return std::holds_alternative<bool*>(field.slot) || std::holds_alternative<std::optional<bool>*>(field.slot);
}

}  // namespace spillway
