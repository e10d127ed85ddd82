#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/config/train_config.hpp"

namespace spillway::config::tables {

/// A name and the rest of its line.
using Named = std::pair<std::string_view, std::string_view>;

/// The lines of recipes.tsv by kind, each without its kind; names in byte order, sections by number.
struct RecipeLines {
  std::vector<Named> classes, precisions, recipes, aliases;
  std::vector<std::string_view> sections;
};
const RecipeLines& recipe_lines();

/// The line of a name, or nullptr.
const Named* find_named(const std::vector<Named>& lines, std::string_view name);

int number(std::string_view digits);

/// The path of a section where it is an object of a class; empty otherwise.
std::string_view object_path(std::size_t section);

/// Adds what a section sets or inherits from its class, in the order of the field names.
void append_settings(std::vector<Setting>& settings, std::size_t section);

}  // namespace spillway::config::tables
