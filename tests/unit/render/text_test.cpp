#include "tools/validate/render/text.hpp"

#include "tests/support/golden.hpp"
#include "tools/validate/render/rule_text.hpp"
#include "tools/validate/render/snippet.hpp"

namespace spillway::validate::render {
namespace {

using ::testing::HasSubstr;

/// A configuration of one source.
config::TrainConfig source(std::string name, std::string text) {
  config::TrainConfig config;
  config.sources.push_back({std::move(name), std::move(text), "bridge-yaml"});
  return config;
}

Finding finding(std::string code, Severity severity, std::string message) {
  Finding out;
  out.code = std::move(code);
  out.severity = severity;
  out.message = std::move(message);
  return out;
}

Answer refused() {
  Answer answer;
  answer.verdict = "error";
  answer.summary = "1 error, 1 warning; the run would stop first at ACT-PP";
  answer.context = {{"launcher", "bridge"}, {"mcore", "bridge-pin"}, {"te", "2.14"}};
  Finding pipeline =
      finding("ACT-PP", Severity::kError, "layer-level activation offload (cpu_offloading) cannot run with 4 pipeline stages");
  pipeline.upstream = UpstreamError{"ValueError", "Currently there is no support for Pipeline parallelism with CPU offloading"};
  pipeline.first = true;
  pipeline.keys = {"model.pipeline_model_parallel_size", "model.cpu_offloading"};
  pipeline.location = config::Origin{0, 3, 3, "model.pipeline_model_parallel_size"};
  pipeline.fixes = {
      {Fix::Safety::kDisplayOnly, "use one pipeline stage", {{Edit::Kind::kSet, "model.pipeline_model_parallel_size", config::Value(1)}}},
      {Fix::Safety::kUnsafe, "switch the offload off", {{Edit::Kind::kSet, "model.cpu_offloading", config::Value(false)}}}};
  Finding noop = finding("ACT-WEIGHTS-NOOP", Severity::kWarning, "cpu_offloading_weights has no effect");
  noop.stage = Stage::kBuild;
  noop.fixes = {{Fix::Safety::kSafe, "remove the key", {{Edit::Kind::kRemove, "model.cpu_offloading_weights", {}}}}};
  answer.findings = {pipeline, noop};
  answer.missing = {{"the environment of the launch", {"env.NVTE_CPU_OFFLOAD_V1"}, "--env NAME=VALUE"}};
  answer.assumptions = {"Transformer Engine 2.14; state another with --te"};
  answer.unchecked = {"ACT-V1-ENV"};
  return answer;
}

const config::TrainConfig kConfig =
    source("run.yaml", "model:\n  cpu_offloading: true\n  pipeline_model_parallel_size: 4\n  cpu_offloading_weights: true\n");

TEST(Text, ShowsConclusionFindingsAndWhatIsOpen) {
  testing::expect_golden("text/validate_error.txt", text(refused(), kConfig, {"launcher: \"Megatron-Bridge\" read as bridge"}, {}));
}

TEST(Text, ColoursWhatMatters) { testing::expect_golden("text/validate_error_colour.txt", text(refused(), kConfig, {}, {.colour = true})); }

TEST(Text, SpeaksTheLaunchersLanguage) {
  Answer answer = refused();
  answer.context = {{"launcher", "megatron-lm"}, {"mcore", "main"}, {"script", "gpt"}};
  const std::string out = text(answer, kConfig, {}, {});
  EXPECT_THAT(out, HasSubstr("--pipeline-model-parallel-size 1"));
}

TEST(Text, IsShortWhenAllIsWell) {
  Answer answer;
  answer.verdict = "ok";
  answer.summary = "legal: no rule is broken";
  EXPECT_EQ(text(answer, {}, {}, {}), "ok: legal: no rule is broken\n");
}

TEST(Text, StaysBelow20KilobytesAndNamesTheRest) {
  Answer answer = refused();
  for (int i = 0; i < 300; ++i) {
    Finding more = finding("RULE-" + std::to_string(i), Severity::kWarning, std::string(2000, 'x'));
    more.keys = {"model.x"};
    answer.findings.push_back(more);
    answer.assumptions.push_back(std::string(700, 'y'));
    answer.unchecked.push_back("OPEN-" + std::to_string(i));
    answer.missing.push_back({"value " + std::to_string(i), {}, ""});
  }
  const std::string out = text(answer, kConfig, {}, {});
  EXPECT_LT(out.size(), 20u * 1024);
  EXPECT_THAT(out, HasSubstr(" more: warning[RULE-"));
  EXPECT_THAT(text(answer, kConfig, {}, {.details = true}), HasSubstr("warning[RULE-299]"));
}

TEST(Text, NothingThatItQuotesSteersTheTerminal) {
  const std::string evil = "a\x1b[31m\xC2\x9B\xE2\x80\xAE\xE2\x81\xA6\r\xFFz";
  Answer answer = refused();
  answer.findings[0].message = answer.summary = evil;
  answer.findings[0].upstream->message = evil;
  answer.findings[0].fixes[0].summary = evil;
  answer.missing = {{evil, {evil}, evil}};
  answer.assumptions = {evil};
  answer.context.emplace_back("recipe", evil);
  answer.findings[0].location = config::Origin{0, 1, 3, ""};
  const std::string out = text(answer, source(evil, evil + "\n"), {evil}, {.details = true});
  EXPECT_THAT(out, HasSubstr("a\\x1b[31m\\u{9b}\\u{202e}\\u{2066}\\x0d\\xffz"));
  for (const char* raw : {"\x1b", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\r", "\xFF"})
    EXPECT_THAT(out, ::testing::Not(HasSubstr(raw)));
}

TEST(Snippet, HidesSecretsAlsoThoseThatBeganEarlier) {
  const auto config = source("x", "a:\n  password: |\n    zzSECRETzz\n  n: 1\nexport HF_TOKEN=zzSECRETzz\n" + std::string(100'000, '\n') +
                                      "api_key: zzSECRETzz\n");
  for (const int line : {3, 5, 100'006}) {
    const std::string out = snippet({0, line, 1, ""}, config, {});
    EXPECT_THAT(out, HasSubstr("***")) << line;
    EXPECT_THAT(out, ::testing::Not(HasSubstr("SECRET"))) << line;
  }
}

TEST(Snippet, MarksStayUnderWhatIsSpelledOut) {
  EXPECT_EQ(snippet({0, 1, 3, ""}, source("x", "\x1b\tkey\n"), {}), "  |\n1 | \\x1b key\n  |      ^^^\n");
  EXPECT_EQ(snippet({0, 1, 5, ""}, source("x", "\xE5\xB1\xA4 key\n"), {}), "  |\n1 | \xE5\xB1\xA4 key\n  |    ^^^\n")
      << "a wide character takes two columns";
}

TEST(Snippet, MarksTheWordAtTheColumn) {
  EXPECT_EQ(snippet({0, 2, 3, ""}, kConfig, {}), "  |\n2 |   cpu_offloading: true\n  |   ^^^^^^^^^^^^^^\n");
}

TEST(Snippet, FindsTheSpellingWhenTheColumnIsNotKnown) {
  EXPECT_EQ(snippet({0, 3, 0, "pipeline_model_parallel_size"}, kConfig, {}),
            "  |\n3 |   pipeline_model_parallel_size: 4\n  |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n");
}

TEST(Snippet, CountsColumnsNotBytes) {
  EXPECT_EQ(snippet({0, 1, 8, ""}, source("x", "größe: 4\n"), {}), "  |\n1 | größe: 4\n  |      ^\n") << "ö and ß have two bytes each";
}

TEST(Snippet, CutsLongLinesAndHidesControlCharacters) {
  const auto config = source("x", std::string(5000, 'a') + " \x1b[31mkey=1\t" + std::string(5000, 'b') + "\n");
  const std::string out = snippet({0, 1, 5007, ""}, config, {});
  EXPECT_LT(out.size(), 400u);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_THAT(out, HasSubstr("key=1"));
}

TEST(Snippet, SurvivesPlacesThatDoNotExist) {
  for (const auto& origin : {config::Origin{5, 1, 1, ""}, config::Origin{0, 99, 1, ""}, config::Origin{-1, 0, 0, ""},
                             config::Origin{0, 2, 9999, ""}, config::Origin{0, 0, 0, ""}})
    (void)snippet(origin, kConfig, {});
}

Rule rule() {
  Rule out;
  out.code = "ACT-PP";
  out.summary = "no pipeline with layer-level offload";
  out.raises = {{Place::kTransformerConfig, 1, "ValueError", "Currently there is no support for {}"}};
  out.what = "cpu_offloading is on and there are several stages.";
  out.why = "Backward comes too early.";
  out.remedy = "Use one stage.";
  out.since = Core::k0_18;
  out.launchers = {Launcher::kBridge};
  out.evidence = {"megatron/core/x.py", "if self.cpu_offloading:"};
  return out;
}

TEST(RuleText, ShowsARuleInFull) { testing::expect_golden("text/rule.txt", rule_pages({rule()}, {})); }

TEST(RuleText, KeepsTheListSmall) {
  std::vector<Rule> rules(400, rule());
  for (auto& each : rules) each.summary = "a summary that is rather long, so that four hundred of them would not fit into twenty kilobytes";
  EXPECT_LT(rule_list(rules, {}).size(), 20u * 1024);
}

}  // namespace
}  // namespace spillway::validate::render
