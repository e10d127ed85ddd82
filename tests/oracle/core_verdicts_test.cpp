// Recorded verdicts of Megatron-Core's own checks (TransformerConfig and OptimizerConfig) against validate(), in process.
// SPILLWAY_ORACLE_VERBOSE=1 prints every disagreement; SPILLWAY_ORACLE_TREE and SPILLWAY_ORACLE_FAMILIES choose the rows.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "tests/oracle/rows.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {
namespace {

using nlohmann::json;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

struct Failure {
  std::string rule, message;
};

std::vector<Failure> first_failures(const json& row) {
  std::vector<Failure> failures;
  for (const char* part : {"model", "optimizer"}) {
    if (!row["verdict"].contains(part) || row["verdict"][part].value("ok", true)) continue;
    const auto& verdict = row["verdict"][part];
    std::string rule = verdict.contains("rule") && verdict["rule"].is_string() ? verdict["rule"].get<std::string>() : "";
    failures.push_back({rule.substr(0, rule.find('(')), verdict.value("msg", "")});
  }
  return failures;
}

bool in_families(const std::vector<Failure>& failures, const std::set<std::string>& families) {
  for (const auto& failure : failures)
    if (families.contains(failure.rule.substr(0, failure.rule.find('-')))) return true;
  return families.empty();
}

/// Sets print in no particular order upstream: compare their members.
std::string normal(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto close = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (close == std::string::npos) {
      out += text[at++];
      continue;
    }
    std::set<std::string> members;
    for (const auto part : split(std::string_view(text).substr(at + 1, close - at - 1), ',')) members.emplace(trim(part));
    out += "{" + join({members.begin(), members.end()}, ", ") + "}";
    at = close + 1;
  }
  return out;
}

struct Tally {
  int rows = 0, agree = 0, refused = 0, first = 0, exact = 0;
  std::map<std::string, int> why;
};

bool hit(const Failure& failure, const Answer& answer) {
  for (const auto& finding : answer.findings)
    if (finding.severity == Severity::kError && finding.stage == Stage::kConfig &&
        (finding.code == failure.rule ||
         (finding.upstream && !failure.message.empty() && normal(finding.upstream->message) == normal(failure.message))))
      return true;
  return false;
}

void judge(const json& row, const Answer& answer, Tally& tally, bool verbose) {
  const auto failures = first_failures(row);
  std::string complaint;
  for (const auto& failure : failures)
    if (!hit(failure, answer)) complaint = "missed " + (failure.rule.empty() ? failure.message : failure.rule);
  if (failures.empty())
    for (const auto& finding : answer.findings)
      if (finding.severity == Severity::kError && finding.stage == Stage::kConfig) complaint = "false alarm " + finding.code;
  ++tally.rows;
  tally.agree += complaint.empty();
  if (!failures.empty()) {
    ++tally.refused;
    bool right = false, exact = false;
    std::string marked = "nothing";
    for (const auto& finding : answer.findings) {
      if (!finding.first) continue;
      marked = finding.code;
      for (const auto& failure : failures) {
        right = right || finding.code == failure.rule || (finding.upstream && normal(finding.upstream->message) == normal(failure.message));
        exact = exact || (finding.upstream && normal(finding.upstream->message) == normal(failure.message));
      }
    }
    tally.first += right;
    tally.exact += exact;
    if (!right && complaint.empty()) complaint = "first is " + marked + ", not " + failures.front().rule;
    if (right && !exact && complaint.empty()) complaint = "text of " + marked + " differs";
  }
  if (complaint.empty()) return;
  ++tally.why[complaint];
  if (verbose) std::cout << row["id"].get<std::string>() << ": " << complaint << "\n";
}

TEST(CoreVerdicts, AgreeWithUpstreamsOwnChecks) {
  const std::string path = oracle::shared_data("oracle_l1.jsonl.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the recorded verdicts are not on this machine";
  const std::string tree = setting("SPILLWAY_ORACLE_TREE", "head");
  std::set<std::string> families;
  const std::string wanted = setting("SPILLWAY_ORACLE_FAMILIES", "ACT,FGO,CG,OPT");
  for (const auto& family : split(wanted, ','))
    if (!family.empty()) families.emplace(family);
  Tally tally;
  for (const auto& row : oracle::rows_of(path)) {
    if (row["tree"] != tree) continue;
    const auto failures = first_failures(row);
    if (!failures.empty() && !in_families(failures, families)) continue;
    judge(row, validate(oracle::question_of(row)), tally, std::getenv("SPILLWAY_ORACLE_VERBOSE") != nullptr);
  }
  for (const auto& [complaint, count] : tally.why) std::cout << "  " << count << "  " << complaint << "\n";
  std::cout << tree << ": " << tally.agree << " of " << tally.rows << " agree, first right " << tally.first << " of " << tally.refused
            << ", text equal " << tally.exact << "\n";
  ASSERT_GT(tally.rows, 0);
  EXPECT_GE(tally.agree, 0.995 * tally.rows);
  EXPECT_GE(tally.first, 0.99 * tally.refused);
}

}  // namespace
}  // namespace spillway::validate
