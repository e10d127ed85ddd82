#include "tools/config/front_ends.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/suggester.hpp"
#include "tools/config/tables/literal.hpp"
#include "tools/config/tables/rows.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

constexpr std::size_t kMostNamed = 5;  // Keys that a note names.

std::vector<std::string_view> words_of(std::string_view text) { return split(text, ' '); }

/// One line of a file.
void read_line(std::string_view line, FrontEnd& out) {
  const auto [kind, first, second, third, fourth] = tables::columns<5>(line);
  if (kind == "name") out.name = first;
  if (kind == "launcher") out.launcher = parse_launcher(first).value_or(out.launcher);
  if (kind == "sign") out.signs.push_back(first);
  if (kind == "prefix") out.prefixes.push_back({first, second, third == "fields"});
  if (kind == "key") out.keys.push_back({first, second});
  if (kind == "switch") out.switches.push_back({first, second});
  if (kind == "implies") out.implied.push_back({first, tables::literal(second), third, tables::literal(fourth)});
  if (kind == "default") out.defaults.push_back({std::string(first), tables::literal(second), {}});
  if (kind == "command") out.commands.push_back(words_of(first));
  if (kind == "null") out.null_word = first;
  if (kind == "source") out.source = first;
}

FrontEnd read_file(std::string_view text) {
  FrontEnd out;
  for (const auto line : tables::data_lines(text.data(), text.data() + text.size())) read_line(line, out);
  for (auto& setting : out.defaults) setting.origin.spelling = "default of " + std::string(out.name);
  return out;
}

/// More particular prefixes stand before those they begin with, whichever front end they belong to.
std::vector<FrontEnd::Prefix> all_prefixes() {
  std::vector<FrontEnd::Prefix> out;
  for (const auto& front_end : front_ends()) out.insert(out.end(), front_end.prefixes.begin(), front_end.prefixes.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.spelled.size() > b.spelled.size(); });
  return out;
}

std::string_view path_of(const Setting& setting) {
  const std::string_view spelling = setting.origin.spelling;
  return spelling.substr(std::min(spelling.find_first_not_of("+~"), spelling.size()));
}

/// The longest sign that the path begins with.
std::size_t sign_length(const FrontEnd& front_end, std::string_view spelling) {
  std::size_t longest = 0;
  for (const auto sign : front_end.signs)
    if (spelling.starts_with(sign)) longest = std::max(longest, sign.size());
  return longest;
}

/// The longer sign of the two.
void consider(std::string_view spelling, const FrontEnd*& best, std::size_t& length) {
  for (const auto& front_end : front_ends())
    if (const auto found = sign_length(front_end, spelling); found > length) {
      best = &front_end;
      length = found;
    }
}

/// The one that wins.
const Setting* last_of(const std::vector<Setting>& settings, std::string_view key) {
  const auto found = std::find_if(settings.rbegin(), settings.rend(), [&](const Setting& setting) { return setting.key == key; });
  return found == settings.rend() ? nullptr : &*found;
}

/// It stands below a prefix, where fields of Megatron's belong, and is none.
bool is_stray(const FrontEnd& front_end, const Setting& setting) {
  const auto below = [&](const FrontEnd::Prefix& prefix) { return !prefix.fields_only && path_of(setting).starts_with(prefix.spelled); };
  if (std::none_of(front_end.prefixes.begin(), front_end.prefixes.end(), below)) return false;
  return !key_facts(setting.key, kNewestCore).known && !tables::find_field(setting.key, kNewestCore);
}

void note_strays(const FrontEnd& front_end, Reading& reading) {
  std::vector<std::string> named;
  Origin first;
  std::size_t count = 0;
  for (const auto& setting : reading.settings) {
    if (!is_stray(front_end, setting)) continue;
    if (count++ == 0) first = setting.origin;
    if (count > kMostNamed) continue;
    const auto near = suggest_keys(setting.key);
    named.push_back(std::string(path_of(setting)) + (near.empty() ? "" : " (did you mean " + std::string(last_part(near.front())) + "?)"));
  }
  if (count == 0) return;
  const std::string more = count > kMostNamed ? " and " + std::to_string(count - kMostNamed) + " more" : "";
  reading.remarks.push_back({Remark::Kind::kTakenAs,
                             join(named, ", ") + more,
                             {},
                             "no field of Megatron-Core; " + std::string(front_end.name) + " may know it, and it is passed over",
                             {},
                             first});
}

}  // namespace

const std::vector<FrontEnd>& front_ends() {
  static const std::vector<FrontEnd> all = [] {
    std::vector<FrontEnd> out;
    for (const auto text : front_end_files::texts()) out.push_back(read_file(text));
    return out;
  }();
  return all;
}

const FrontEnd* front_end_of_path(std::string_view spelling) {
  const FrontEnd* best = nullptr;
  std::size_t length = 0;
  consider(spelling, best, length);
  return best;
}

const FrontEnd* find_front_end(std::string_view name) {
  const auto& all = front_ends();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FrontEnd& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const FrontEnd* front_end_of(const std::vector<Setting>& settings) {
  const FrontEnd* best = nullptr;
  std::size_t length = 0;
  for (const auto& setting : settings) {
    if (setting.key == "launch.front_end") return find_front_end(setting.value.str());
    consider(path_of(setting), best, length);
  }
  return best;
}

std::optional<std::string> front_end_key(std::string_view spelling) {
  static const std::vector<FrontEnd::Prefix> prefixes = all_prefixes();
  for (const auto& front_end : front_ends())
    for (const auto& rename : front_end.keys)
      if (spelling == rename.spelled) return std::string(rename.key);
  for (const auto& prefix : prefixes) {
    if (!spelling.starts_with(prefix.spelled) || spelling.size() == prefix.spelled.size()) continue;
    std::string mapped = std::string(prefix.section) + std::string(spelling.substr(prefix.spelled.size()));
    if (prefix.fields_only && !tables::find_field(mapped, kNewestCore)) return std::nullopt;
    return mapped;
  }
  return std::nullopt;
}

std::vector<FrontEnd::Switch> switched_off(const FrontEnd& front_end, const std::vector<Setting>& settings) {
  std::vector<FrontEnd::Switch> off;
  for (const auto& each : front_end.switches) {
    const Setting* last = last_of(settings, each.key);
    if (last != nullptr && !last->value.is_unknown() && !last->value.truthy()) off.push_back(each);
  }
  return off;
}

bool is_below(const std::vector<FrontEnd::Switch>& switches, const Setting& setting) {
  return std::any_of(switches.begin(), switches.end(), [&](const FrontEnd::Switch& each) {
    return path_of(setting).starts_with(each.prefix) && path_of(setting) != each.key;
  });
}

std::vector<Setting> implied_settings(const FrontEnd& front_end, const std::vector<Setting>& settings) {
  std::vector<Setting> out;
  for (const auto& implied : front_end.implied) {
    const Setting* reason = last_of(settings, implied.when);
    if (reason != nullptr && reason->value == implied.is && last_of(settings, implied.key) == nullptr)
      out.push_back({std::string(implied.key), implied.value, reason->origin});
  }
  return out;
}

void complete_for_front_end(Reading& reading) {
  const FrontEnd* front_end = front_end_of(reading.settings);
  if (front_end == nullptr) return;
  reading.launcher = front_end->launcher;
  note_strays(*front_end, reading);
}

CommandFound find_command(const std::vector<std::string_view>& words) {
  CommandFound found;
  for (const auto& front_end : front_ends())
    for (const auto& command : front_end.commands)
      if (command.size() > found.words && command.size() <= words.size() && std::equal(command.begin(), command.end(), words.begin()))
        found = {command.size(), &front_end};
  return found;
}

}  // namespace spillway::config
