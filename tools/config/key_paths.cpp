#include "tools/config/key_paths.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "tools/config/front_ends.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

/// Builder-style models of Megatron-Bridge have the transformer's fields one section deeper.
constexpr std::string_view kBuilder = "model.transformer.";

std::optional<std::string> one_step(std::string_view key) {
  if (key.starts_with(kBuilder) && key.size() > kBuilder.size()) return "model." + std::string(key.substr(kBuilder.size()));
  return front_end_key(key);
}

std::string_view without_optional(std::string_view type) {
  if (type.starts_with("Optional[") && type.ends_with("]")) type = type.substr(9, type.size() - 10);
  if (type.ends_with(" | None")) type.remove_suffix(7);
  return type;
}

bool is_list_type(std::string_view type) {
  for (const std::string_view name : {"list", "List", "Sequence", "tuple", "Tuple", "set", "Set"})
    if (type == name || (type.starts_with(name) && type.substr(name.size()).starts_with("[")))
      return type.find(" | ") == std::string_view::npos;
  return false;
}

KeyFacts facts_of(std::string_view declared, bool section) {
  const auto type = without_optional(declared);
  return {true, section, type == "bool", is_list_type(type)};
}

/// Members of a section whose members are free: environment variables, keyword dictionaries; and what a dump says of itself.
bool is_free(std::string_view key) {
  if (last_part(key).starts_with("_")) return true;
  const auto owner = parent_part(key);
  if (owner == "env_vars" || owner == "env" || key == "env_vars") return true;
  const auto found = owner.empty() ? std::nullopt : tables::find_key(owner);
  return found && !found->section && found->type.find("ict[") != std::string_view::npos;
}

}  // namespace

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string_view parent_part(std::string_view key) {
  const auto dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string canonical_key(std::string_view spelling) {
  std::string key(spelling);
  while (auto next = one_step(key)) key = std::move(*next);
  return key;
}

bool is_foreign_path(std::string_view spelling) { return front_end_of_path(spelling) != nullptr; }

KeyFacts key_facts(std::string_view key, Core core) {
  if (const auto found = tables::find_key(key)) return facts_of(found->type, found->section);
  if (const auto field = tables::find_field(key, core)) return facts_of(field->type, false);
  return {is_free(key), key == "env_vars" || key == "env", false, false};
}

std::vector<std::string> suggest_keys(std::string_view key) {
  const auto owner = parent_part(key);
  const auto name = last_part(key);
  std::vector<std::string_view> neighbours;
  std::vector<std::string> elsewhere;
  for (const auto path : tables::key_paths()) {
    if (parent_part(path) == owner) neighbours.push_back(last_part(path));
    if (last_part(path) == name && elsewhere.size() < 3) elsewhere.emplace_back(path);
  }
  std::vector<std::string> found;
  for (const auto& near : nearest(name, neighbours)) found.push_back(owner.empty() ? near : std::string(owner) + "." + near);
  return found.empty() ? elsewhere : found;
}

}  // namespace spillway::config
