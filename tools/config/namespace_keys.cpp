#include "tools/config/namespace_keys.hpp"

#include <algorithm>

namespace spillway::config {
namespace {

std::string option_of(std::string_view name) {
  std::string option = "--" + std::string(name);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

/// A switch that stores false under its own name; a true one of that kind stores false under another name.
bool is_inverted(const tables::Flag& flag) { return flag.action == tables::Flag::Action::kStoreFalse && option_of(flag.dest) == flag.flag; }

}  // namespace

std::optional<NamespaceKeys::Target> NamespaceKeys::find(std::string_view name) {
  if (const auto flag = tables::find_flag(option_of(name), context_.core, context_.script); flag && flag->dest == name)
    return Target{std::string(flag->key), is_inverted(*flag)};
  const auto found = all().find(name);
  if (found == all().end()) return std::nullopt;
  return Target{std::string(found->second.key), is_inverted(found->second)};
}

std::optional<std::string> NamespaceKeys::name_of(std::string_view key) const {
  if (key.starts_with("args.")) return std::string(key.substr(5));
  const auto flag = tables::find_flag_of_key(key, context_.core, context_.script);
  if (!flag || is_inverted(*flag)) return std::nullopt;
  return std::string(flag->dest);
}

std::vector<std::string_view> NamespaceKeys::names() {
  std::vector<std::string_view> out;
  for (const auto& [name, flag] : all()) out.push_back(name);
  return out;
}

const std::map<std::string, tables::Flag, std::less<>>& NamespaceKeys::all() {
  if (flags_.empty())
    for (const auto spelling : tables::flag_names(context_.core, context_.script))
      if (auto flag = tables::find_flag(spelling, context_.core, context_.script))
        flags_.try_emplace(std::string(flag->dest), std::move(*flag));
  return flags_;
}

}  // namespace spillway::config
