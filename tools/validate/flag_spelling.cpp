#include "tools/validate/flag_spelling.hpp"

#include <algorithm>

#include "tools/config/tables/tables.hpp"

namespace spillway::validate {

namespace tables = config::tables;

namespace {

/// argparse takes nothing shorter for the beginning of an option's name.
constexpr std::size_t kShortest = std::string_view("--x").size();
constexpr std::size_t kMostNamed = 4;

bool is_unknown_option(const Facts& facts, const config::Remark& remark) {
  return facts.megatron_lm() && remark.kind == config::Remark::Kind::kUnknownFlag && remark.subject.starts_with("--");
}

/// `--cpu-offloading` begins other options' names, but it is a field that has no option.
bool is_field(const Facts& facts, const std::string& option) {
  std::string name = option.substr(2);
  std::replace(name.begin(), name.end(), '-', '_');
  for (const std::string section : {"model.", "optimizer.", "ddp."})
    if (tables::find_field(section + name, facts.core())) return true;
  return false;
}

}  // namespace

std::string dashed(const Facts& facts, const config::Remark& remark) {
  if (!is_unknown_option(facts, remark) || remark.subject.find('_') == std::string::npos) return "";
  std::string meant = remark.subject;
  std::replace(meant.begin(), meant.end(), '_', '-');
  return tables::find_flag(meant, facts.core(), facts.script()) ? meant : "";
}

std::vector<std::string> completions(const Facts& facts, const config::Remark& remark) {
  std::vector<std::string> found;
  if (!is_unknown_option(facts, remark) || remark.subject.size() < kShortest || is_field(facts, remark.subject)) return found;
  for (const auto name : tables::flag_names(facts.core(), facts.script()))
    if (name.starts_with(remark.subject) && found.size() < kMostNamed) found.emplace_back(name);
  return found;
}

}  // namespace spillway::validate
