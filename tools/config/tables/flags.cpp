#include "tools/config/tables/literal.hpp"
#include "tools/config/tables/rows.hpp"
#include "tools/config/tables/tables.hpp"

extern "C" const char spillway_flags_begin[], spillway_flags_end[];

namespace spillway::config::tables {
namespace {

enum Column { kFlag, kAliases, kVersions, kKey, kDest, kScripts, kAction, kNargs, kType, kChoices, kDefault, kColumns };
using Row = std::array<std::string_view, kColumns>;

/// Lines, split only when asked for: the program has to answer in milliseconds.
const std::vector<std::string_view>& lines() {
  static const std::vector<std::string_view> table = data_lines(spillway_flags_begin, spillway_flags_end);
  return table;
}

const Index& by_spelling() {
  static const Index table = [] {
    Index made(lines().size() + lines().size() / 4);
    for (std::size_t at = lines().size(); at-- > 0;) {
      const auto [flag, aliases] = columns<2>(lines()[at]);
      made.add(flag, at);
      for (const auto alias : words(aliases, ' ')) made.add(alias, at);
    }
    return made;
  }();
  return table;
}

const Index& by_key() {
  static const Index table = [] {
    Index made(lines().size());
    for (std::size_t at = lines().size(); at-- > 0;) made.add(columns<kKey + 1>(lines()[at])[kKey], at);
    return made;
  }();
  return table;
}

bool has_script(std::string_view scripts, std::string_view script) {
  if (scripts == "all") return true;
  if (script == "mamba") script = "hybrid";
  while (!scripts.empty())
    if (take(scripts, ',') == script) return true;
  return false;
}

bool applies(const Row& row, Core core, std::string_view script) {
  return covers(row[kVersions], core) && has_script(row[kScripts], script);
}

Flag::Type type_of(std::string_view word) {
  if (word == "int") return Flag::Type::kInt;
  if (word == "float") return Flag::Type::kFloat;
  if (word == "bool") return Flag::Type::kBool;
  return word == "str" ? Flag::Type::kString : Flag::Type::kOther;
}

void describe_action(Flag& flag, const Row& row, std::string_view spelling) {
  if (row[kAction] == "store") {
    flag.nargs = row[kNargs];
    return;
  }
  const bool negated = row[kAction] == "either" && spelling != row[kFlag];
  const bool stores = row[kAction] != "false" && !negated;
  if (negated) flag.flag = row[kAliases];
  flag.action = stores ? Flag::Action::kStoreTrue : Flag::Action::kStoreFalse;
  flag.nargs = "0";
  flag.constant = stores;
}

Flag make(const Row& row, std::string_view spelling) {
  Flag flag;
  flag.flag = row[kFlag];
  flag.key = row[kKey];
  flag.dest = row[kDest].empty() ? flag.key.substr(flag.key.rfind('.') + 1) : row[kDest];
  flag.type = type_of(row[kType]);
  flag.choices = words(row[kChoices], '|');
  flag.fallback = literal(row[kDefault]);
  describe_action(flag, row, spelling);
  return flag;
}

}  // namespace

std::optional<Flag> find_flag(std::string_view spelling, Core core, std::string_view script) {
  std::optional<Flag> found;
  by_spelling().each(spelling, [&](std::size_t at) {
    const Row row = columns<kColumns>(lines()[at]);
    if (!found && applies(row, core, script)) found = make(row, spelling);
  });
  return found;
}

std::optional<Flag> find_flag_of_key(std::string_view key, Core core, std::string_view script) {
  std::optional<Row> best;
  by_key().each(key, [&](std::size_t at) {
    const Row row = columns<kColumns>(lines()[at]);
    if (applies(row, core, script) && (!best || ((*best)[kAction] == "false" && row[kAction] != "false"))) best = row;
  });
  return best ? std::optional(make(*best, (*best)[kFlag])) : std::nullopt;
}

std::vector<std::string_view> flag_names(Core core, std::string_view script) {
  std::vector<std::string_view> out;
  for (const auto line : lines()) {
    const Row row = columns<kColumns>(line);
    if (!applies(row, core, script)) continue;
    out.push_back(row[kFlag]);
    for (const auto alias : words(row[kAliases], ' ')) out.push_back(alias);
  }
  return out;
}

}  // namespace spillway::config::tables
