#include "tools/validate/name_lists.hpp"

#include <algorithm>
#include <iterator>

namespace spillway::validate {

config::List without(const std::vector<std::string>& names, const std::set<std::string>& dropped) {
  config::List kept;
  for (const auto& name : names)
    if (!dropped.contains(name)) kept.emplace_back(name);
  return kept;
}

config::List with(config::List names, std::string_view added) {
  names.emplace_back(added);
  return names;
}

std::set<std::string> common(const std::set<std::string>& names, const std::set<std::string>& wanted) {
  std::set<std::string> both;
  std::set_intersection(names.begin(), names.end(), wanted.begin(), wanted.end(), std::inserter(both, both.end()));
  return both;
}

std::string enumerated(const std::set<std::string>& names) {
  std::string out;
  std::size_t left = names.size();
  for (const auto& name : names) {
    out += name;
    --left;
    if (left > 0) out += left == 1 ? " and " : ", ";
  }
  return out;
}

}  // namespace spillway::validate
