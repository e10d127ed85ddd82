// Fixes over recorded configurations: each does what it declares, and taking them comes to an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/oracle/rows.hpp"
#include "tools/validate/fixing.hpp"

namespace spillway::validate {
namespace {

/// Every eleventh row: all kinds come in turn, so this is a sample of each. Coprime to the generator's periods.
constexpr std::size_t kStride = 11;

std::vector<Question> questions() {
  std::vector<Question> out;
  for (const char* layer : {"l1", "l2", "l3"}) {
    const auto rows = oracle::rows_of(oracle::shared_data(std::string("oracle_") + layer + ".jsonl.gz"));
    for (std::size_t i = 0; i < rows.size(); i += kStride)
      if (auto question = oracle::question_of(rows[i])) out.push_back(std::move(*question));
  }
  return out;
}

std::string new_errors(const Answer& after, const Answer& before) {
  std::string out;
  for (const auto& finding : after.findings) {
    const bool old = std::any_of(before.findings.begin(), before.findings.end(), [&](const Finding& f) { return f.code == finding.code; });
    if (finding.severity == Severity::kError && !old) out += finding.code + " ";
  }
  return out;
}

class Fixes : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(oracle::shared_data("oracle_l1.jsonl.gz")))
      GTEST_SKIP() << "the recorded verdicts are not on this machine";
  }
};

TEST_F(Fixes, SilenceTheirRule) {
  std::map<std::string, int> unsilenced, harmful;
  int tried = 0;
  for (const auto& question : questions()) {
    const Answer before = validate(question);
    for (const auto& finding : before.findings)
      for (const auto& fix : finding.fixes) {
        if (fix.edits.empty() || fix.safety == Fix::Safety::kDisplayOnly) continue;
        const Answer after = validate(changed(question, fix.edits));
        ++tried;
        unsilenced[finding.code + ": " + fix.summary] += !silences(after, before, finding);
        if (fix.safety == Fix::Safety::kSafe && !new_errors(after, before).empty())
          ++harmful[finding.code + ": " + fix.summary + " brings " + new_errors(after, before)];
      }
  }
  EXPECT_GT(tried, 500);
  std::erase_if(unsilenced, [](const auto& entry) { return entry.second == 0; });
  EXPECT_EQ(unsilenced, (std::map<std::string, int>{}));
  // Where an error hid others behind it, removing it shows them; fix() then leaves it alone. That is rare.
  EXPECT_LT(harmful.size() * 100, static_cast<std::size_t>(tried)) << testing::PrintToString(harmful);
}

TEST_F(Fixes, ComeToAnEndWithoutNewErrors) {
  int fixed = 0;
  for (const auto& question : questions()) {
    const Answer before = validate(question);
    const Fixing once = fix(question, Fix::Safety::kUnsafe);
    EXPECT_LT(once.taken.size(), static_cast<std::size_t>(kMaxFixes));
    EXPECT_EQ(new_errors(once.answer, before), "");
    fixed += !once.taken.empty();
    const Fixing twice = fix(changed(question, once.edits), Fix::Safety::kUnsafe);
    EXPECT_TRUE(twice.taken.empty()) << twice.taken.front().code << ": " << twice.taken.front().fix.summary;
  }
  EXPECT_GT(fixed, 100);
}

}  // namespace
}  // namespace spillway::validate
