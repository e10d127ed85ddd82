#include "tools/validate/python_text.hpp"

#include <vector>

#include "base/text.hpp"

namespace spillway::validate {

std::string python_set(const std::set<std::string>& members) {
  if (members.empty()) return "set()";
  std::vector<std::string> quoted;
  for (const auto& member : members) quoted.push_back(config::Value(member).repr());
  return "{" + join(quoted, ", ") + "}";
}

std::string not_comparable(std::string_view sign, const config::Value& value, std::string_view other) {
  return "'" + std::string(sign) + "' not supported between instances of '" + std::string(value.type_name()) + "' and '" +
         std::string(other) + "'";
}

}  // namespace spillway::validate
