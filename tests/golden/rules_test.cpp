// Every rule has cases as files: tests/golden/rules/CODE/fail*.* must give the finding, pass*.* must not.
// Comment lines at the top of a case steer it:
//   # spillway: --launcher megatron-core --mcore 0.17 --te 2.9 --torch 2.8 --script hybrid --recipe NAME --env NAME=VALUE --no-env
//               --resume-from tests/golden/rules/CODE/saved.yaml
//   # upstream: the text upstream raises (a failing case then must predict exactly that)
// Without --env or --no-env the environment counts as not stated; --no-env states that it is empty.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/config/edit.hpp"
#include "tools/config/reader.hpp"
#include "tools/validate/fixing.hpp"
#include "tools/validate/rule.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {
namespace {

namespace fs = std::filesystem;

const fs::path kRules = fs::path(SPILLWAY_SOURCE_DIR) / "tests/golden/rules";

struct Case {
  Question question;
  config::ReadContext context;
  std::string upstream;
  bool states_upstream = false;
};

/// The run that saved the checkpoint: a file of the project.
std::shared_ptr<const Question> saved_run(const std::string& path, const Question& question) {
  auto saved = std::make_shared<Question>();
  config::ReadContext context;
  context.name = path;
  const auto text = read_file((fs::path(SPILLWAY_SOURCE_DIR) / path).string(), config::kMaxSourceBytes);
  EXPECT_TRUE(text.ok()) << path;
  auto reading = config::read_source(*text, context);
  EXPECT_TRUE(reading.ok()) << path;
  if (!reading->launcher) saved->launcher = question.launcher;
  saved->config.stack({path, *text, ""}, std::move(*reading));
  return saved;
}

void apply_option(const std::string& option, const std::string& value, Question& question) {
  if (option == "--launcher")
    question.launcher = config::parse_launcher(value);
  else if (option == "--mcore")
    question.core = config::parse_core(value);
  else if (option == "--te") {
    question.te = Version::parse(value);
    question.te_absent = value == "none";
  } else if (option == "--torch")
    question.torch = Version::parse(value);
  else if (option == "--script")
    question.script = value;
  else if (option == "--world-size")
    question.world_size = std::stoi(value);
  else if (option == "--ranks-per-node")
    question.ranks_per_node = std::stoi(value);
  else if (option == "--gpu")
    question.gpu = value;
  else if (option == "--recipe")
    question.config.recipe = config::Setting{"recipe", value, {}};
  else if (option == "--resume-from")
    question.saved = saved_run(value, question);
  else if (option == "--env") {
    question.env[value.substr(0, value.find('='))] = value.substr(value.find('=') + 1);
    question.env_stated = true;
  } else
    ADD_FAILURE() << "unknown option in a case: " << option;
}

void apply_directive(std::string_view line, Case& parsed) {
  if (const auto at = line.find("upstream: "); at != std::string_view::npos) {
    parsed.upstream = std::string(line.substr(at + 10));
    parsed.states_upstream = true;
    return;
  }
  const auto at = line.find("spillway:");
  if (at == std::string_view::npos) return;
  std::istringstream words{std::string(line.substr(at + 9))};
  std::string option, value;
  while (words >> option) {
    if (option == "--no-env")
      parsed.question.env_stated = true;
    else if (words >> value)
      apply_option(option, value, parsed.question);
  }
}

Case read_case(const fs::path& path) {
  Case parsed;
  const auto text = read_file(path.string(), config::kMaxSourceBytes);
  EXPECT_TRUE(text.ok()) << path;
  for (const auto line : split(*text, '\n')) {
    if (!line.starts_with("#")) break;
    apply_directive(line, parsed);
  }
  config::ReadContext& context = parsed.context;
  context.name = path.filename().string();
  context.core = parsed.question.core.value_or(context.core);
  if (!parsed.question.script.empty()) context.script = parsed.question.script;
  context.launcher = parsed.question.launcher;
  auto reading = config::read_source(*text, context);
  if (!reading)
    ADD_FAILURE() << path << ": " << reading.error().message;
  else
    parsed.question.config.stack({context.name, *text, ""}, std::move(*reading));
  return parsed;
}

std::vector<fs::path> cases_of(std::string_view code, std::string_view prefix) {
  std::vector<fs::path> paths;
  const fs::path folder = kRules / code;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().filename().string().starts_with(prefix)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string codes_of(const Answer& answer) {
  std::string out = answer.verdict + ":";
  for (const auto& finding : answer.findings) out += " " + finding.code;
  return out + " | unchecked:" + join(answer.unchecked, " ");
}

}  // namespace

/// A failing case prints the rule's code, not its bytes.
void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.code; }

namespace {

class RuleCases : public testing::TestWithParam<Rule> {};

TEST_P(RuleCases, FailingCasesGiveTheFinding) {
  const Rule& rule = GetParam();
  const auto paths = cases_of(rule.code, "fail");
  EXPECT_FALSE(paths.empty()) << "no tests/golden/rules/" << rule.code << "/fail*";
  for (const auto& path : paths) {
    const Case parsed = read_case(path);
    const Answer answer = validate(parsed.question);
    const auto found = std::find_if(answer.findings.begin(), answer.findings.end(), [&](const Finding& f) { return f.code == rule.code; });
    ASSERT_NE(found, answer.findings.end()) << path << " gives " << codes_of(answer);
    EXPECT_FALSE(found->message.empty());
    EXPECT_FALSE(found->keys.empty() && !found->location) << path << ": a finding names its keys or its place";
    if (parsed.states_upstream) {
      ASSERT_TRUE(found->upstream) << path;
      EXPECT_EQ(found->upstream->message, parsed.upstream) << path;
    }
  }
}

std::size_t count(const Answer& answer, std::string_view code) {
  return static_cast<std::size_t>(
      std::count_if(answer.findings.begin(), answer.findings.end(), [&](const Finding& finding) { return finding.code == code; }));
}

/// Codes of errors that the one answer has and the other has not.
std::string new_errors(const Answer& after, const Answer& before) {
  std::string out;
  for (const auto& finding : after.findings)
    if (finding.severity == Severity::kError && count(before, finding.code) == 0) out += finding.code + " ";
  return out;
}

TEST_P(RuleCases, FixesDoWhatTheyDeclare) {
  const Rule& rule = GetParam();
  for (const auto& path : cases_of(rule.code, "fail")) {
    const Case parsed = read_case(path);
    const Answer before = validate(parsed.question);
    for (const auto& finding : before.findings) {
      if (finding.code != rule.code) continue;
      for (const auto& fix : finding.fixes) {
        SCOPED_TRACE(path.string() + ": " + fix.summary);
        EXPECT_TRUE(fix.safety == Fix::Safety::kDisplayOnly || !fix.edits.empty()) << "a fix that is written needs edits";
        if (fix.edits.empty()) continue;
        const Answer after = validate(changed(parsed.question, fix.edits));
        EXPECT_TRUE(silences(after, before, finding)) << codes_of(after);
        EXPECT_TRUE(fix.safety != Fix::Safety::kSafe || new_errors(after, before).empty()) << new_errors(after, before);
      }
    }
  }
}

/// The fixes that are taken, written into the text of the case: what they silence stays silent when it is read again.
TEST_P(RuleCases, FixesAreWrittenIntoTheText) {
  for (const auto& path : cases_of(GetParam().code, "fail")) {
    const Case parsed = read_case(path);
    const Fixing fixing = fix(parsed.question, Fix::Safety::kUnsafe);
    // The environment is not part of most texts; there it is for the user to export.
    const bool exports = std::any_of(fixing.edits.begin(), fixing.edits.end(), [](const Edit& e) { return e.key.starts_with("env."); });
    if (fixing.edits.empty() || exports) continue;
    const auto text = config::edit_source(parsed.question.config.sources.front().text, fixing.edits, parsed.context);
    ASSERT_TRUE(text.ok()) << path << ": " << text.error().message;
    Question again = parsed.question;
    const auto recipe = again.config.recipe;
    again.config = {};
    again.config.recipe = recipe;
    auto reading = config::read_source(*text, parsed.context);
    ASSERT_TRUE(reading.ok()) << path << "\n" << *text;
    again.config.stack({parsed.context.name, *text, ""}, std::move(*reading));
    EXPECT_EQ(codes_of(validate(again)), codes_of(fixing.answer)) << path << "\n" << *text;
  }
}

TEST_P(RuleCases, PassingCasesDoNot) {
  const Rule& rule = GetParam();
  const auto paths = cases_of(rule.code, "pass");
  EXPECT_FALSE(paths.empty()) << "no tests/golden/rules/" << rule.code << "/pass*";
  for (const auto& path : paths) {
    const Answer answer = validate(read_case(path).question);
    for (const auto& finding : answer.findings) EXPECT_NE(finding.code, rule.code) << path << ": " << finding.message;
    EXPECT_EQ(std::count(answer.unchecked.begin(), answer.unchecked.end(), rule.code), 0) << path << " leaves the rule undecided";
  }
}

INSTANTIATE_TEST_SUITE_P(All, RuleCases, testing::ValuesIn(rules::all()), [](const auto& member) {
  std::string name(member.param.code);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// A code is stable for ever: the folder of a rule that is gone stays, with a file `retired` that says what took its place.
TEST(RuleFolders, BelongToARule) {
  std::set<std::string, std::less<>> codes;
  for (const auto& rule : rules::all()) codes.emplace(rule.code);
  for (const auto& entry : fs::directory_iterator(kRules)) {
    const std::string code = entry.path().filename().string();
    const bool retired = fs::exists(entry.path() / "retired");
    EXPECT_TRUE(codes.contains(code) != retired) << code << (retired ? " was retired and is not used again" : " has cases and no rule");
  }
}

}  // namespace
}  // namespace spillway::validate
