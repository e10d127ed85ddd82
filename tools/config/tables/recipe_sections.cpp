#include "tools/config/tables/recipe_sections.hpp"

#include <algorithm>
#include <string>

#include "tools/config/tables/literal.hpp"
#include "tools/config/tables/rows.hpp"

extern "C" const char spillway_recipes_begin[], spillway_recipes_end[];

namespace spillway::config::tables {
namespace {

constexpr std::string_view kBuilder = "model.transformer";

enum Column { kStart, kPath, kOwner, kColumns };

/// Fields and their literals; a later one of the same name wins.
using Values = std::vector<std::pair<std::string_view, std::string_view>>;

void file_line(RecipeLines& made, std::string_view line) {
  const std::string_view kind = take(line, '\t');
  const std::string_view name = take(line, '\t');
  if (kind == "section") made.sections.push_back(line);
  if (kind == "recipe") made.recipes.emplace_back(name, line);
  if (kind == "class") made.classes.emplace_back(name, line);
  if (kind == "precision") made.precisions.emplace_back(name, line);
  if (kind == "alias") made.aliases.emplace_back(name, line);
}

void append(Values& values, std::string_view fields) {
  while (!fields.empty()) {
    std::string_view text = take(fields, '\t');
    const std::string_view name = take(text, '=');
    values.emplace_back(name, text);
  }
}

void append_defaults(Values& values, std::string_view owner) {
  const Named* line = find_named(recipe_lines().classes, owner);
  if (!line) return;
  std::string_view fields = line->second;
  append_defaults(values, take(fields, '\t'));
  append(values, fields);
}

/// What a section itself says, without its class; `-field` takes away what the section it starts from says.
void append_own(Values& values, std::size_t section) {
  std::string_view line = recipe_lines().sections[section];
  if (const auto start = take(line, '\t'); !start.empty()) append_own(values, static_cast<std::size_t>(number(start)));
  take(line, '\t');
  take(line, '\t');
  Values changes;
  append(changes, line);
  for (const auto& change : changes) {
    if (!change.first.starts_with('-'))
      values.push_back(change);
    else
      std::erase_if(values, [gone = change.first.substr(1)](const auto& value) { return value.first == gone; });
  }
}

/// Keeps the last of each name, in the order of the names.
void settle(Values& values) {
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < values.size(); ++at)
    if (at + 1 == values.size() || values[at + 1].first != values[at].first) values[kept++] = values[at];
  values.resize(kept);
}

std::string joined(std::string_view path, std::string_view name) {
  std::string out;
  out.reserve(path.size() + name.size() + 1);
  out += path;
  if (!name.empty()) out += '.';
  return out += name;
}

}  // namespace

const RecipeLines& recipe_lines() {
  static const RecipeLines table = [] {
    RecipeLines made;
    for (const auto line : data_lines(spillway_recipes_begin, spillway_recipes_end)) file_line(made, line);
    return made;
  }();
  return table;
}

const Named* find_named(const std::vector<Named>& lines, std::string_view name) {
  const auto before = [](const Named& line, std::string_view wanted) { return line.first < wanted; };
  const auto found = std::lower_bound(lines.begin(), lines.end(), name, before);
  return found != lines.end() && found->first == name ? &*found : nullptr;
}

int number(std::string_view digits) {
  int out = 0;
  for (const char digit : digits) out = out * 10 + (digit - '0');
  return out;
}

std::string_view object_path(std::size_t section) {
  const auto head = columns<kColumns>(recipe_lines().sections[section]);
  return head[kOwner].empty() ? std::string_view{} : head[kPath];
}

void append_settings(std::vector<Setting>& settings, std::size_t section) {
  const auto head = columns<kColumns>(recipe_lines().sections[section]);
  Values values, own;
  append_defaults(values, head[kOwner]);
  append_own(own, section);
  values.insert(values.end(), own.begin(), own.end());
  settle(values);
  const std::string_view prefix = head[kPath] == kBuilder ? "model" : head[kPath];
  for (const auto& [name, text] : values) {
    Setting& setting = settings.emplace_back();
    setting.key = joined(prefix, name);
    setting.value = literal(text);
    setting.origin.spelling = joined(head[kPath], name);
  }
}

}  // namespace spillway::config::tables
