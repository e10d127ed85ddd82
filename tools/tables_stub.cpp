// Stands in for the generated tables until they are there; to be dropped with them.
#include "tools/config/tables/tables.hpp"

namespace spillway::config::tables {

std::optional<Flag> find_flag(std::string_view, Core, std::string_view) { return std::nullopt; }
std::optional<Flag> find_flag_of_key(std::string_view, Core, std::string_view) { return std::nullopt; }
std::vector<std::string_view> flag_names(Core, std::string_view) { return {}; }
std::optional<Field> find_field(std::string_view, Core) { return std::nullopt; }
std::vector<std::string_view> field_keys(std::string_view, Core) { return {}; }
std::optional<Key> find_key(std::string_view) { return std::nullopt; }
std::vector<std::string_view> key_paths() { return {}; }
std::optional<Recipe> find_recipe(std::string_view name) {
  if (name != "qwen3_30b_a3b_pretrain_config") return std::nullopt;
  return Recipe{.name = "qwen3_30b_a3b_pretrain_config", .kind = "library"};
}
std::vector<std::string_view> recipe_names() { return {"qwen3_30b_a3b_pretrain_config"}; }
std::string_view bridge_commit() { return "067f987df03b8355b03192d88d70f1709fedf51a"; }
std::string_view bridge_date() { return "2026-08-22"; }

}  // namespace spillway::config::tables
