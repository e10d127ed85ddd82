#include <algorithm>
#include <string>

#include "tools/config/tables/recipe_sections.hpp"
#include "tools/config/tables/rows.hpp"
#include "tools/config/tables/tables.hpp"

extern "C" const char spillway_recipes_begin[], spillway_recipes_end[];

namespace spillway::config::tables {
namespace {

constexpr std::string_view kConfig = "_config";

/// A part that is an object has its own settings; the null that its parent's class has as default is not its value.
void drop_replaced(std::vector<Setting>& settings, const std::vector<std::string_view>& parts) {
  std::erase_if(settings, [&](const Setting& setting) {
    return setting.value.is_null() && std::find(parts.begin(), parts.end(), setting.origin.spelling) != parts.end();
  });
}

std::vector<Setting> settings_of(std::string_view sections) {
  std::vector<Setting> settings;
  settings.reserve(800);
  std::vector<std::string_view> parts;
  while (!sections.empty()) {
    const auto section = static_cast<std::size_t>(number(take(sections, ' ')));
    append_settings(settings, section);
    if (const auto path = object_path(section); path.find('.') != std::string_view::npos) parts.push_back(path);
  }
  drop_replaced(settings, parts);
  return settings;
}

enum Column { kKind, kGpus, kModelClass, kBuilderStyle, kStandin, kHfId, kSections, kColumns };

Recipe make(const Named& line) {
  const auto row = columns<kColumns>(line.second);
  Recipe recipe;
  recipe.name = line.first.substr(0, line.first.find('@'));
  recipe.kind = row[kKind];
  recipe.gpus = number(row[kGpus]);
  recipe.model_class = row[kModelClass];
  recipe.builder_style = !row[kBuilderStyle].empty();
  recipe.assumed_shape = !row[kStandin].empty();
  recipe.hf_id = row[kHfId];
  recipe.settings = settings_of(row[kSections]);
  return recipe;
}

const Named* find_line(std::string_view name) {
  const Named* alias = find_named(recipe_lines().aliases, name);
  return find_named(recipe_lines().recipes, alias ? alias->second : name);
}

/// The second line of the file: `# REPOSITORY COMMIT DATE`.
std::vector<std::string_view> source() {
  std::string_view rest(spillway_recipes_begin, static_cast<std::size_t>(spillway_recipes_end - spillway_recipes_begin));
  take(rest, '\n');
  return words(take(rest, '\n'), ' ');
}

}  // namespace

std::optional<Recipe> find_recipe(std::string_view name) {
  const Named* line = find_line(name);
  if (!line && !name.ends_with(kConfig)) line = find_line(std::string(name) + std::string(kConfig));
  return line ? std::optional(make(*line)) : std::nullopt;
}

std::vector<std::string_view> recipe_names() {
  std::vector<std::string_view> out;
  for (const Named& line : recipe_lines().recipes)
    if (line.first.find('@') == std::string_view::npos) out.push_back(line.first);
  for (const Named& line : recipe_lines().aliases) out.push_back(line.first);
  return out;
}

std::optional<std::vector<Setting>> find_precision(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  const Named* line = find_named(recipe_lines().precisions, wanted);
  if (!line) return std::nullopt;
  std::vector<Setting> out;
  append_settings(out, static_cast<std::size_t>(number(line->second)));
  std::erase_if(out, [](const Setting& setting) { return setting.key == "mixed_precision"; });
  return out;
}

std::vector<std::string_view> precision_names() {
  std::vector<std::string_view> out;
  for (const Named& line : recipe_lines().precisions) out.push_back(line.first);
  return out;
}

std::string_view bridge_commit() { return source().at(2); }
std::string_view bridge_date() { return source().at(3); }

}  // namespace spillway::config::tables
