#include "tools/upstream_note.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"
#include "tools/validate/upstream/drift.hpp"

namespace spillway {
namespace {

using validate::Rule;
using validate::upstream::TreeDrift;

constexpr std::size_t kMostNamed = 12;

std::string context_value(const validate::Answer& answer, std::string_view name) {
  for (const auto& [key, value] : answer.context)
    if (key == name) return value;
  return {};
}

/// The rules that the answer was made with.
std::vector<Rule> asked(const validate::Answer& answer) {
  const auto launcher = config::parse_launcher(context_value(answer, "launcher"));
  const auto core = config::parse_core(context_value(answer, "mcore"));
  std::vector<Rule> rules = validate::rules::all();
  std::erase_if(rules, [&](const Rule& rule) {
    return (launcher && !rule.launchers.has(*launcher)) || (core && (*core < rule.since || rule.until < *core));
  });
  return rules;
}

/// Those that were found before the others.
void findings_first(std::vector<std::string>& codes, const validate::Answer& answer) {
  std::stable_partition(codes.begin(), codes.end(), [&](const std::string& code) {
    return std::any_of(answer.findings.begin(), answer.findings.end(), [&](const auto& finding) { return finding.code == code; });
  });
}

std::string note(std::vector<std::string> codes, const std::vector<std::string>& trees) {
  const std::string where = join(trees, ", ");
  if (codes.empty()) return "the checks of the rules asked were looked for in " + where + ", and all are there";
  const std::size_t count = codes.size();
  codes.resize(std::min(count, kMostNamed));
  return std::to_string(count) + (count == 1 ? " rule's checks are" : " rules' checks are") + " not found in " + where + ": " +
         join(codes, ", ") + (count > kMostNamed ? ", …" : "") + "; they may not apply";
}

}  // namespace

std::optional<Error> note_upstream(const std::vector<std::string>& trees, const ToolContext& context, validate::Answer& answer) {
  if (trees.empty()) return std::nullopt;
  if (!context.may_read_files)
    return Error{"files-not-allowed", "files cannot be read here, and upstream names a folder", "leave upstream out", {}, "upstream"};
  const auto rules = asked(answer);
  std::vector<TreeDrift> drifts;
  std::vector<Error> errors;
  for (const auto& tree : trees) {
    auto drift = validate::upstream::drift_of((std::filesystem::path(context.directory) / tree).string(), rules);
    if (drift)
      drifts.push_back(std::move(*drift));
    else
      errors.push_back(drift.error());
  }
  if (!errors.empty()) return combined(std::move(errors));
  auto codes = validate::upstream::gone_everywhere(drifts);
  findings_first(codes, answer);
  answer.assumptions.push_back(note(std::move(codes), trees));
  return std::nullopt;
}

}  // namespace spillway
