#include <algorithm>

#include "tools/config/tables/rows.hpp"
#include "tools/config/tables/tables.hpp"

extern "C" const char spillway_options_begin[], spillway_options_end[];

namespace spillway::config::tables {
namespace {

enum Column { kFlag, kAliases, kWrites, kAction, kNargs, kType, kChoices, kColumns };
using Row = std::array<std::string_view, kColumns>;

const std::vector<Row>& options() {
  static const std::vector<Row> table = [] {
    std::vector<Row> rows;
    for (const auto line : data_lines(spillway_options_begin, spillway_options_end)) rows.push_back(columns<kColumns>(line));
    return rows;
  }();
  return table;
}

bool spells(const Row& row, std::string_view spelling) {
  if (row[kFlag] == spelling) return true;
  const auto aliases = words(row[kAliases], ' ');
  return std::find(aliases.begin(), aliases.end(), spelling) != aliases.end();
}

Flag::Type type_of(std::string_view word) {
  if (word == "int") return Flag::Type::kInt;
  if (word == "float") return Flag::Type::kFloat;
  return word == "bool" ? Flag::Type::kBool : Flag::Type::kString;
}

}  // namespace

std::optional<RecipeOption> find_recipe_option(std::string_view spelling) {
  for (const Row& row : options()) {
    if (!spells(row, spelling)) continue;
    RecipeOption option;
    option.flag = row[kFlag];
    option.writes = words(row[kWrites], ' ');
    option.takes_value = row[kAction] == "store";
    option.type = type_of(row[kType]);
    option.choices = words(row[kChoices], '|');
    return option;
  }
  return std::nullopt;
}

std::vector<std::string_view> recipe_option_names() {
  std::vector<std::string_view> out;
  for (const Row& row : options()) {
    out.push_back(row[kFlag]);
    for (const auto alias : words(row[kAliases], ' ')) out.push_back(alias);
  }
  return out;
}

}  // namespace spillway::config::tables
