// Recorded verdicts of Megatron's own checks against validate(), in process: core classes (l1), Megatron-LM's arguments (l2), Bridge (l3).
// SPILLWAY_ORACLE_VERBOSE=1 prints every disagreement; SPILLWAY_ORACLE_TREE and SPILLWAY_ORACLE_FAMILIES (ACT,FGO) choose the rows.
#include <algorithm>
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

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Sets print in no particular order upstream, and long texts were recorded with their line breaks: compare members and words.
std::string normal(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto close = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (close == std::string::npos) {
      const bool blank = std::isspace(static_cast<unsigned char>(text[at])) != 0;
      if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : text[at];
      ++at;
      continue;
    }
    std::set<std::string> members;
    for (const auto part : split(std::string_view(text).substr(at + 1, close - at - 1), ',')) members.emplace(trim(part));
    out += "{" + join({members.begin(), members.end()}, ", ") + "}";
    at = close + 1;
  }
  return std::string(trim(out));
}

/// A failure that upstream showed: the rule that was assigned to it, none where it is not in the catalog, and the text.
struct Failure {
  std::string rule, message;
  bool listed() const { return !rule.empty() && rule.find("not in rules.md") == std::string::npos; }
  bool is(const Finding& finding) const {
    return finding.code == rule || (finding.upstream && !message.empty() && normal(finding.upstream->message) == normal(message));
  }
};

Failure failure_of(const json& node, const char* text) {
  const std::string rule = node.contains("rule") && node["rule"].is_string() ? node["rule"].get<std::string>() : "";
  const bool listed = rule.find("not in rules.md") == std::string::npos;
  return {listed ? rule.substr(0, rule.find('(')) : rule, node.value(text, "")};
}

struct Recorded {
  std::vector<Failure> first;  ///< What upstream showed; of two classes that were built apart one each.
  std::vector<Failure> all;    ///< Everything that is wrong at once, where that was recorded.
  std::set<Stage> stages;      ///< What was run.
};

Recorded recorded(const json& row) {
  const json& verdict = row["verdict"];
  const std::string layer = row["layer"];
  Recorded out;
  out.stages = layer == "L1"   ? std::set{Stage::kConfig}
               : layer == "L2" ? std::set{Stage::kParse, Stage::kArgs, Stage::kConfig}
                               : std::set{Stage::kParse, Stage::kBridge, Stage::kConfig};
  if (verdict.value("stage", "") == "second-finalize") out.stages.insert(Stage::kBuild);
  std::vector<json> parts = {verdict};
  if (layer == "L1") parts = {verdict.value("model", json::object()), verdict.value("optimizer", json::object())};
  for (const auto& part : parts) {
    if (!part.value("ok", true)) out.first.push_back(failure_of(part, "msg"));
    for (const auto& failure : part.value("all", json::array())) out.all.push_back(failure_of(failure, "msg"));
  }
  return out;
}

bool in_families(const Recorded& row, const std::set<std::string>& families) {
  return families.empty() || row.first.empty() || std::any_of(row.first.begin(), row.first.end(), [&](const Failure& failure) {
           return families.contains(failure.rule.substr(0, failure.rule.find('-')));
         });
}

struct Tally {
  int rows = 0, agree = 0, refused = 0, first = 0, failures = 0, named = 0, extra = 0, unlisted = 0, alarms = 0;
  std::map<std::string, int> why;
};

using Errors = std::vector<const Finding*>;

Errors errors_of(const Answer& answer, const std::set<Stage>& stages) {
  Errors out;
  for (const auto& finding : answer.findings)
    if (finding.severity == Severity::kError && stages.contains(finding.stage)) out.push_back(&finding);
  return out;
}

bool any_is(const Errors& errors, const Failure& failure) {
  return std::any_of(errors.begin(), errors.end(), [&](const Finding* error) { return failure.is(*error); });
}

/// What is wrong with the answer; empty when nothing is.
std::string complaint(const Recorded& row, const Errors& errors) {
  if (row.first.empty()) return errors.empty() ? "" : "false alarm " + errors.front()->code;
  for (const auto& failure : row.first)
    if (!any_is(errors, failure)) return (failure.listed() ? "missed " + failure.rule : "unlisted: " + failure.message);
  const auto first = std::find_if(errors.begin(), errors.end(), [](const Finding* error) { return error->first; });
  if (first == errors.end()) return "no error is the first";
  for (const auto& failure : row.first)
    if (failure.is(**first)) return "";
  return "first is " + (*first)->code + ", not " + row.first.front().rule;
}

void judge(const json& json_row, const Answer& answer, Tally& tally) {
  const Recorded row = recorded(json_row);
  const Errors errors = errors_of(answer, row.stages);
  const std::string wrong = complaint(row, errors);
  const bool order = wrong.starts_with("first is") || wrong.starts_with("no error");
  ++tally.rows;
  tally.agree += wrong.empty() || order || wrong.starts_with("unlisted");
  tally.refused += !row.first.empty();
  tally.first += !row.first.empty() && wrong.empty();
  tally.unlisted += wrong.starts_with("unlisted");
  tally.alarms += wrong.starts_with("false alarm");
  for (const auto& failure : row.all) {
    tally.failures += failure.listed();
    tally.named += failure.listed() && any_is(errors, failure);
  }
  for (const auto* error : errors) {
    const auto known = [&](const std::vector<Failure>& failures) {
      return std::any_of(failures.begin(), failures.end(), [&](const Failure& failure) { return failure.is(*error); });
    };
    if (!row.all.empty() && !known(row.all) && !known(row.first)) ++tally.extra;
  }
  if (wrong.empty()) return;
  ++tally.why[wrong];
  if (!setting("SPILLWAY_ORACLE_VERBOSE").empty()) std::cout << json_row["id"].get<std::string>() << ": " << wrong << "\n";
}

class Verdicts : public testing::TestWithParam<const char*> {};

TEST_P(Verdicts, AgreeWithUpstreamsOwnChecks) {
  const std::string path = oracle::shared_data(std::string("oracle_") + GetParam() + ".jsonl.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the recorded verdicts are not on this machine";
  std::set<std::string> families;
  const std::string wanted = setting("SPILLWAY_ORACLE_FAMILIES");
  for (const auto& family : split(wanted, ','))
    if (!family.empty()) families.emplace(family);
  const std::string tree = setting("SPILLWAY_ORACLE_TREE");
  Tally tally;
  for (const auto& row : oracle::rows_of(path)) {
    if (!row["verdict"].value("env_failure", json()).is_null()) continue;  // The recording machine lacked something.
    if ((!tree.empty() && row["tree"] != tree) || !in_families(recorded(row), families)) continue;
    const auto question = oracle::question_of(row);
    ASSERT_TRUE(question.ok()) << row["id"] << ": " << question.error().message;
    judge(row, validate(*question), tally);
  }
  for (const auto& [complaint, count] : tally.why) std::cout << "  " << count << "  " << complaint << "\n";
  std::cout << GetParam() << ": " << tally.agree << " of " << tally.rows << " agree, first right " << tally.first << " of " << tally.refused
            << ", named " << tally.named << " of " << tally.failures << ", extra " << tally.extra << ", unlisted " << tally.unlisted
            << ", false alarms " << tally.alarms << "\n";
  ASSERT_GT(tally.rows, 0);
  EXPECT_GE(tally.agree, 0.999 * tally.rows);
  EXPECT_GE(tally.first, 0.99 * tally.refused);
  EXPECT_GE(tally.named, 0.98 * tally.failures);
  EXPECT_LE(tally.extra, 0.005 * tally.rows);
  EXPECT_LE(tally.unlisted, 0.01 * tally.rows);
}

INSTANTIATE_TEST_SUITE_P(All, Verdicts, testing::Values("l1", "l2", "l3"), [](const auto& layer) { return std::string(layer.param); });

}  // namespace
}  // namespace spillway::validate
