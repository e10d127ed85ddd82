// Every rule keeps the promises of its kind.
#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/validate/not_static.hpp"
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

/// What a person under pressure reads: whole sentences, nobody addressed or blamed, nothing shouted, no hedging.
TEST_P(EachRule, SpeaksPlainly) {
  const Rule& rule = GetParam();
  for (const std::string_view text : {rule.what, rule.why, rule.remedy}) {
    EXPECT_TRUE(text.ends_with('.') || text.ends_with(".)") || text.ends_with(".`")) << text;
    EXPECT_LE(text.size(), 700u) << text;
    EXPECT_EQ(text.find('!'), std::string_view::npos) << text;
    EXPECT_EQ(text.find("  "), std::string_view::npos) << text;
    const std::string words = " " + lower(text) + " ";
    for (const char* word : {" you ", " your ", " sorry ", " simply ", " just ", " obviously ", " oops ", " should probably "})
      EXPECT_EQ(words.find(word), std::string::npos) << word << "in: " << text;
  }
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
  for (const auto& page : not_static()) EXPECT_TRUE(codes.insert(page.code).second) << page.code;
}

TEST(NotStatic, SaysWhyNoRuleDecidesIt) {
  for (const auto& page : not_static()) {
    EXPECT_TRUE(page.what.starts_with("Not checked by validate: ")) << page.code;
    EXPECT_FALSE(page.why.empty() || page.remedy.empty() || page.evidence.file.empty()) << page.code;
    EXPECT_EQ(page.check, nullptr) << page.code;
  }
}

/// The codes of the rows `| CODE | …` below the heading of the index.
std::set<std::string> codes_of_index(std::string_view text) {
  std::set<std::string> codes;
  for (const auto line : split(text.substr(std::min(text.find("# Appendix A"), text.size())), '\n')) {
    const auto cells = split(line, '|');
    const auto code = cells.size() > 2 ? trim(cells[1]) : std::string_view();
    const bool capitals = code.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == std::string_view::npos;
    if (capitals && code.find('-', 1) != std::string_view::npos && code.front() != '-') codes.emplace(code);
  }
  return codes;
}

TEST(Rules, CoverTheSpecification) {
  const auto text = read_file(std::string(SPILLWAY_SOURCE_DIR) + "/../shared/spec/rules.md", 1 << 20);
  if (!text.ok()) GTEST_SKIP() << "the specification is not beside the checkout";
  std::set<std::string, std::less<>> known;
  for (const auto& rule : rules::all()) known.emplace(rule.code);
  for (const auto& page : not_static()) known.emplace(page.code);
  const auto wanted = codes_of_index(*text);
  EXPECT_GT(wanted.size(), 200u);
  for (const auto& code : wanted) EXPECT_TRUE(known.contains(code)) << code << " is neither a rule nor in not_static";
}

}  // namespace
}  // namespace spillway::validate
