#include <algorithm>
#include <string>

#include "tools/config/tables/literal.hpp"
#include "tools/config/tables/rows.hpp"
#include "tools/config/tables/tables.hpp"

extern "C" const char spillway_keys_begin[], spillway_keys_end[];

namespace spillway::config::tables {
namespace {

constexpr std::string_view kBuilder = "model.transformer.";

enum Column { kPath, kType, kMarks, kDefault, kColumns };
using Row = std::array<std::string_view, kColumns>;

/// Sorted by path.
const std::vector<std::string_view>& keys() {
  static const std::vector<std::string_view> table = data_lines(spillway_keys_begin, spillway_keys_end);
  return table;
}

std::string_view first_word(std::string_view line) { return take(line, '\t'); }

std::optional<Row> row_of(std::string_view path) {
  const auto before = [](std::string_view line, std::string_view wanted) { return first_word(line) < wanted; };
  const auto line = std::lower_bound(keys().begin(), keys().end(), path, before);
  return line != keys().end() && first_word(*line) == path ? std::optional(columns<kColumns>(*line)) : std::nullopt;
}

Key make(const Row& row) {
  const auto marked = [&](char mark) { return row[kMarks].find(mark) != std::string_view::npos; };
  Key key;
  key.path = row[kPath];
  key.type = row[kType];
  key.fallback = literal(row[kDefault]);
  key.required = marked('r');
  key.overridable = !marked('n');
  key.section = marked('s');
  key.transformer = marked('t');
  key.rare = marked('x');
  return key;
}

}  // namespace

std::optional<Key> find_key(std::string_view path) {
  const bool builder = path.starts_with(kBuilder);
  const auto row = builder ? row_of("model." + std::string(path.substr(kBuilder.size()))) : row_of(path);
  if (!row) return std::nullopt;
  const Key key = make(*row);
  return builder && !key.transformer ? std::nullopt : std::optional(key);
}

std::vector<std::string_view> key_paths() {
  std::vector<std::string_view> out;
  out.reserve(keys().size());
  for (const auto line : keys()) out.push_back(first_word(line));
  return out;
}

}  // namespace spillway::config::tables
