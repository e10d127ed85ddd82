// Every front end has cases as files, tests/golden/front_ends/*; comment lines at the top say what must come of them:
//   # front_end: the one that is recognised
//   # finds: the codes of errors and warnings among the findings; no other error may be there
//   # sets: KEY=VALUE, effective values
//   # notes: a text that the assumptions hold
#include "tools/config/front_ends.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/validate/effective.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {
namespace {

namespace fs = std::filesystem;
using config::FrontEnd;

const fs::path kCases = fs::path(SPILLWAY_SOURCE_DIR) / "tests/golden/front_ends";

struct Case {
  std::string front_end, notes;
  std::vector<std::string> finds, sets;
  Question question;
};

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  for (const auto word : split(trim(text), ' '))
    if (!word.empty()) out.emplace_back(word);
  return out;
}

void read_directive(std::string_view line, Case& out) {
  const auto value = [&](std::string_view name) -> std::optional<std::string_view> {
    if (!line.starts_with("# " + std::string(name) + ":")) return std::nullopt;
    return trim(line.substr(name.size() + 3));
  };
  if (const auto text = value("front_end")) out.front_end = *text;
  if (const auto text = value("notes")) out.notes = *text;
  if (const auto text = value("finds")) out.finds = words(*text);
  if (const auto text = value("sets")) out.sets = words(*text);
}

Case read_case(const std::string& name) {
  Case out;
  const auto text = read_file((kCases / name).string(), config::kMaxSourceBytes);
  EXPECT_TRUE(text.ok()) << name;
  for (const auto line : split(*text, '\n')) read_directive(line, out);
  config::ReadContext context;
  context.name = name;
  auto reading = config::read_source(*text, context);
  EXPECT_TRUE(reading.ok()) << name << ": " << (reading.ok() ? "" : reading.error().message);
  if (reading) out.question.config.stack({name, *text, ""}, std::move(*reading));
  out.question.env_stated = true;
  return out;
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kCases)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string in_context(const Answer& answer, std::string_view name) {
  for (const auto& [key, value] : answer.context)
    if (key == name) return value;
  return "";
}

class FrontEndCase : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(FrontEnds, FrontEndCase, ::testing::ValuesIn(case_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST_P(FrontEndCase, IsRecognisedAndJudged) {
  const Case parsed = read_case(GetParam());
  const Answer answer = validate(parsed.question);
  EXPECT_EQ(in_context(answer, "front_end"), parsed.front_end);
  std::set<std::string> found;
  for (const auto& finding : answer.findings) {
    if (finding.severity >= Severity::kWarning) found.insert(finding.code);
    const bool expected = std::count(parsed.finds.begin(), parsed.finds.end(), finding.code) > 0;
    EXPECT_TRUE(finding.severity != Severity::kError || expected) << finding.code << ": " << finding.message;
    EXPECT_FALSE(finding.code.starts_with("FORM-")) << finding.code << ": " << finding.message;
  }
  for (const auto& code : parsed.finds) EXPECT_TRUE(found.count(code)) << code;
  EXPECT_THAT(join(answer.assumptions, "\n"), ::testing::HasSubstr(parsed.notes));
}

TEST_P(FrontEndCase, HasItsValues) {
  const Case parsed = read_case(GetParam());
  const Scenario scenario(parsed.question);
  Facts facts(scenario);
  for (const auto& assignment : parsed.sets) {
    const auto equals = assignment.find('=');
    EXPECT_EQ(facts.value(assignment.substr(0, equals)).str(), assignment.substr(equals + 1)) << assignment;
  }
}

class EveryFrontEnd : public ::testing::TestWithParam<FrontEnd> {};

INSTANTIATE_TEST_SUITE_P(FrontEnds, EveryFrontEnd, ::testing::ValuesIn(config::front_ends()), [](const auto& tested) {
  std::string name(tested.param.name);
  std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
  return name;
});

TEST_P(EveryFrontEnd, HasACase) {
  const auto names = case_names();
  EXPECT_TRUE(std::any_of(names.begin(), names.end(), [](const auto& name) { return read_case(name).front_end == GetParam().name; }));
}

TEST_P(EveryFrontEnd, NamesKeysThatExist) {
  const FrontEnd& front_end = GetParam();
  EXPECT_FALSE(front_end.name.empty());
  EXPECT_FALSE(front_end.signs.empty() && front_end.commands.empty()) << "nothing recognises it";
  EXPECT_TRUE(front_end.defaults.empty() || !front_end.source.empty()) << "defaults say where they are from";
  for (const auto& prefix : front_end.prefixes) {
    EXPECT_TRUE(prefix.spelled.ends_with(".")) << prefix.spelled;
    EXPECT_TRUE(config::key_facts(prefix.section.substr(0, prefix.section.size() - 1), config::kNewestCore).section) << prefix.section;
    EXPECT_NE(config::canonical_key(std::string(prefix.spelled) + "num_layers"), "") << prefix.spelled;
  }
  const auto exists = [](std::string_view key) { return config::tables::find_field(key, config::kNewestCore).has_value(); };
  for (const auto& rename : front_end.keys) EXPECT_TRUE(exists(rename.key)) << rename.key;
  for (const auto& setting : front_end.defaults) EXPECT_TRUE(exists(setting.key)) << setting.key;
  for (const auto& implied : front_end.implied) EXPECT_TRUE(exists(implied.key)) << implied.key;
}

TEST_P(EveryFrontEnd, HasSignsOfItsOwn) {
  for (const auto& other : config::front_ends())
    for (const auto sign : other.signs)
      if (other.name != GetParam().name) {
        EXPECT_EQ(std::count(GetParam().signs.begin(), GetParam().signs.end(), sign), 0) << sign;
      }
}

}  // namespace
}  // namespace spillway::validate
