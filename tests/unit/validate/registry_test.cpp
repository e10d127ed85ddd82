// Every rule keeps the promises of its kind.
#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate {

/// A failing case prints the rule's code, not its bytes.
void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.code; }

namespace {

class EachRule : public testing::TestWithParam<Rule> {};

TEST_P(EachRule, IsDocumented) {
  const Rule& rule = GetParam();
  EXPECT_FALSE(rule.summary.empty());
  EXPECT_FALSE(rule.what.empty());
  EXPECT_FALSE(rule.why.empty());
  EXPECT_FALSE(rule.remedy.empty());
  EXPECT_FALSE(rule.evidence.file.empty());
  EXPECT_FALSE(rule.evidence.text.empty());
  EXPECT_NE(rule.check, nullptr);
}

TEST_P(EachRule, HasASummaryInTheHouseTone) {
  const std::string_view summary = GetParam().summary;
  EXPECT_FALSE(summary.ends_with('.')) << summary;
  EXPECT_LE(summary.size(), 100u) << summary;
}

TEST_P(EachRule, StandsInTheFileOfItsName) {
  std::string file = lower(GetParam().code);
  std::replace(file.begin(), file.end(), '-', '_');
  EXPECT_TRUE(std::filesystem::exists(std::string(SPILLWAY_SOURCE_DIR) + "/tools/validate/rules/" + file + ".cpp")) << file;
}

TEST_P(EachRule, RaisesOnlyWhatAnErrorRaises) {
  for (const Raise& raise : GetParam().raises) {
    EXPECT_FALSE(raise.type.empty());
    EXPECT_LE(raise.since, raise.until);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachRule, testing::ValuesIn(rules::all()), [](const auto& member) {
  std::string name(member.param.code);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Rules, HaveDistinctCodes) {
  std::set<std::string_view> codes;
  for (const auto& rule : rules::all()) EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
}

}  // namespace
}  // namespace spillway::validate
