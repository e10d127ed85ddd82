#include <algorithm>
#include <string>

#include "tools/config/tables/literal.hpp"
#include "tools/config/tables/rows.hpp"
#include "tools/config/tables/tables.hpp"

extern "C" const char spillway_fields_begin[], spillway_fields_end[];

namespace spillway::config::tables {
namespace {

enum Column { kKey, kOwner, kVersions, kType, kDefault, kColumns };
using Row = std::array<std::string_view, kColumns>;

/// Sorted by key, so that the rows of a key and the keys of a section lie together.
const std::vector<std::string_view>& fields() {
  static const std::vector<std::string_view> table = data_lines(spillway_fields_begin, spillway_fields_end);
  return table;
}

std::string_view first_word(std::string_view line) { return take(line, '\t'); }

bool applies(const Row& row, Core core) { return covers(row[kVersions], core); }

/// Where the keys that are not before a text begin.
std::size_t first_of(std::string_view key) {
  const auto before = [](std::string_view line, std::string_view wanted) { return first_word(line) < wanted; };
  return static_cast<std::size_t>(std::lower_bound(fields().begin(), fields().end(), key, before) - fields().begin());
}

}  // namespace

std::optional<Field> find_field(std::string_view key, Core core) {
  for (std::size_t at = first_of(key); at < fields().size() && first_word(fields()[at]) == key; ++at) {
    const Row row = columns<kColumns>(fields()[at]);
    if (!applies(row, core)) continue;
    Field field;
    field.key = row[kKey];
    field.type = row[kType];
    field.owner = row[kOwner];
    field.fallback = literal(row[kDefault]);
    field.required = row[kDefault].empty();
    return field;
  }
  return std::nullopt;
}

std::vector<std::string_view> field_keys(std::string_view section, Core core) {
  const std::string prefix = std::string(section) + ".";
  std::vector<std::string_view> out;
  for (std::size_t at = first_of(prefix); at < fields().size() && fields()[at].starts_with(prefix); ++at)
    if (const Row row = columns<kColumns>(fields()[at]); applies(row, core)) out.push_back(row[kKey]);
  return out;
}

}  // namespace spillway::config::tables
