#include "tools/cli/cli.hpp"

#include <cstdlib>

#include "tests/support/golden.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/json.hpp"

namespace spillway::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Outcome ask(const std::vector<std::string>& args, const Surroundings& surroundings = {}) {
  const std::vector<Command> extra = {{"serve", "serves", "[--port N]", [](const std::vector<std::string>& rest) {
                                         return Outcome{7, rest.empty() ? "" : rest.front()};
                                       }}};
  return run(args, catalog::all(), extra, surroundings);
}

const std::vector<std::string> kBroken = {"validate", "--launcher", "megatron-lm", "--args",
                                          "--num-layers 8 --hidden-size 64 --num-attention-heads 8 --cpu-offloading-num-layers 8"};

std::vector<std::string> with(std::vector<std::string> args, const std::vector<std::string>& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST(Cli, AloneSaysWhatItIsForWithThreeExamples) {
  const auto outcome = ask({});
  EXPECT_EQ(outcome.status, kGood);
  EXPECT_LT(outcome.out.size(), 1000u);
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Cli, ErrorsAreBadNewsAndWarningsAreNot) {
  EXPECT_EQ(ask(kBroken).status, kBadNews);
  EXPECT_EQ(ask({"explain", "ACT-PP"}).status, kGood);
  EXPECT_EQ(ask({"validate", "--set", "model.cpu_offloading=true"}).status, kUnknown) << "no recipe: a base value decides";
}

TEST(Cli, JsonIsOneObjectAndTheSameAsTheStructuredAnswer) {
  const auto outcome = ask(with(kBroken, {"--format", "json"}));
  EXPECT_EQ(outcome.status, kBadNews);
  const auto tools = catalog::all();
  const Reply reply =
      call(*catalog::find(tools, "validate_config"), {{"launcher", "megatron-lm"}, {"args", kBroken.back().c_str()}}, Wire::kJson, {}, {});
  EXPECT_EQ(outcome.out, to_json(config::Value(reply.structured)) + "\n");
}

TEST(Cli, AFormatBelongsToTheToolsThatHaveIt) {
  const auto outcome = ask(with(kBroken, {"--format", "sarif"}));
  EXPECT_EQ(outcome.status, kBadNews);
  const auto read = parse_json(outcome.out);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->find("version"), config::Value("2.1.0"));
  const auto refused = ask({"explain", "ACT-PP", "--format", "sarif"});
  EXPECT_EQ(refused.status, kNotAsked);
  EXPECT_THAT(refused.err, HasSubstr("not one of text, json"));
  EXPECT_THAT(ask({"validate", "--format", "xml"}).err, HasSubstr("text, json, sarif"));
}

TEST(Cli, AQuestionThatCannotBeAskedPrintsEverythingThatIsWrongToStderrOnly) {
  const auto outcome = ask({"validate", "--wrold-size", "8", "--te", "abc", "--launcher", "brige", "--format", "yaml"});
  EXPECT_EQ(outcome.status, kNotAsked);
  EXPECT_THAT(outcome.out, IsEmpty());
  for (const auto* part :
       {"unknown option --wrold-size", "did you mean --world-size?", "--te: \"abc\"", "did you mean bridge?", "--format"})
    EXPECT_THAT(outcome.err, HasSubstr(part));
}

TEST(Cli, FilesThatAreMissingAreAllNamed) {
  const auto outcome = ask({"validate", "/no/such.yaml", "/nor/this.yaml", "--format", "json"});
  EXPECT_EQ(outcome.status, kNotAsked);
  EXPECT_THAT(outcome.err, HasSubstr("/no/such.yaml"));
  EXPECT_THAT(outcome.err, HasSubstr("/nor/this.yaml"));
}

TEST(Cli, JsonThatWasAskedForIsThereAlsoWhenNothingCouldBeAsked) {
  for (const auto& args : std::vector<std::vector<std::string>>{{"validate", "/no/such.yaml", "/nor/this.yaml", "--format", "json"},
                                                                {"validate", "--format=json", "--te", "abc"},
                                                                {"validate", "--wat", "--format", "json"},
                                                                {"validat", "--format", "json"},
                                                                {"help", "--format", "json"},
                                                                {"version", "--format", "json", "extra"}}) {
    const auto outcome = ask(args);
    EXPECT_EQ(outcome.status, kNotAsked) << args[0];
    const auto read = parse_json(outcome.out);
    ASSERT_TRUE(read) << args[0] << ": " << outcome.out;
    const auto* error = read->find("error");
    ASSERT_NE(error, nullptr);
    for (const auto* member : {"code", "message", "hint"}) EXPECT_NE(error->find(member), nullptr) << args[0] << " " << member;
    EXPECT_THAT(outcome.err, HasSubstr("error"));
  }
  const auto missing = parse_json(ask({"validate", "/no/such.yaml", "/nor/this.yaml", "--format", "json"}).out);
  ASSERT_TRUE(missing);
  EXPECT_EQ(*missing->find("error")->find("where"), config::Value("/no/such.yaml"));
  EXPECT_EQ(missing->find("error")->find("also")->list()->size(), 1u);
}

TEST(Cli, EveryErrorHasAHint) {
  for (const auto& args : std::vector<std::vector<std::string>>{{"validate", ""},
                                                                {"validate", "/no/such.yaml"},
                                                                {"validate", "/dev/null"},
                                                                {"validate", "--te", "abc"},
                                                                {"validate", "--world-size", "-1"},
                                                                {"validate", "--world-size", "x"},
                                                                {"validate", "--env", "A"},
                                                                {"validate", "--env", "OMP_NUM_THREADS=x"},
                                                                {"validate", "--env", "1=x"},
                                                                {"validate", "--args", "'open"},
                                                                {"validate", "--script", "nonsense", "--args", "--bf16"},
                                                                {"validate", "--format", "yaml"},
                                                                {"validate", "--te"},
                                                                {"validate"},
                                                                {"explain", "NO-SUCH"},
                                                                {"version", "extra"},
                                                                {"completion", "tcsh"},
                                                                {"help", "nothing"},
                                                                {"--wat"}}) {
    const auto outcome = ask(args);
    EXPECT_EQ(outcome.status, kNotAsked) << ::testing::PrintToString(args) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("hint: ")) << ::testing::PrintToString(args);
  }
}

TEST(Cli, WhatStandsInAnErrorCannotSteerTheTerminal) {
  const auto outcome = ask({"validate", "/no/\x1b[31mred\xC2\x9B\xE2\x80\xAEname\xFF.yaml"});
  EXPECT_THAT(outcome.err, HasSubstr("/no/\\x1b[31mred\\u{9b}\\u{202e}name\\xff.yaml"));
}

TEST(Cli, SecretsAreNeverShown) {
  const std::string secret = "zzSECRETzz";
  for (const auto& args : std::vector<std::vector<std::string>>{
           {"validate", "--args", "--num-layers 2 --wandb-api-key " + secret + " --hf_token=" + secret},
           {"validate", "--set", "logger.comet_api_key=" + secret, "--set", "a.token=" + secret, "--set", "api_key:" + secret},
           {"validate", "--env", "OMP_NUM_THREADS=x", "--env", "HF_TOKEN " + secret},
           {"validate", "--args", "WANDB_API_KEY=" + secret + " 'open"}})
    for (const std::string format : {"text", "json"}) {
      const auto outcome = ask(with(args, {"--format", format, "--detail", "full"}));
      EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(secret))) << ::testing::PrintToString(args);
    }
}

TEST(Cli, TakesNoWordsThatMeanNothing) {
  EXPECT_THAT(ask({"version", "extra"}).err, HasSubstr("unexpected argument extra"));
  EXPECT_EQ(ask({"help", "validate", "explain"}).status, kNotAsked);
  EXPECT_EQ(ask({"explain", "ACT-PP", "act_pp"}).out, ask({"explain", "ACT-PP"}).out) << "once is enough";
}

TEST(Cli, VersionSpeaksJson) {
  const auto read = parse_json(ask({"version", "--format=json"}).out);
  ASSERT_TRUE(read);
  EXPECT_NE(read->find("version"), nullptr);
}

TEST(Cli, SuggestsTheNearestCommand) {
  EXPECT_THAT(ask({"val"}).err, HasSubstr("did you mean spillway validate?"));
  const auto outcome = ask({"validat"});
  EXPECT_EQ(outcome.status, kNotAsked);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean spillway validate?"));
}

TEST(Cli, OptionsMayStandAnywhereAndBeAttached) {
  EXPECT_EQ(ask({"validate", "--set=model.cpu_offloading=true", "--te=2.9", "--format=json"}).status, kUnknown);
  EXPECT_EQ(ask({"explain", "--format", "json", "ACT-PP", "--", "ACT-NUM-LAYERS"}).status, kGood);
}

TEST(Cli, AValueMayLookLikeAnOption) { EXPECT_EQ(ask({"validate", "--launcher", "megatron-lm", "--args", "--bf16"}).status, kUnknown); }

TEST(Cli, AnOptionWithoutItsValueIsNamed) { EXPECT_THAT(ask({"validate", "--te"}).err, HasSubstr("--te needs a value")); }

TEST(Cli, CommandsOfOthersGetTheirWords) {
  EXPECT_EQ(ask({"serve", "x"}).out, "x");
  EXPECT_EQ(ask({"serve"}).status, 7);
  EXPECT_THAT(ask({"serve", "--help"}).out, HasSubstr("[--port N]"));
  EXPECT_THAT(ask({"help"}).out, HasSubstr("serve"));
}

TEST(Cli, HelpIsThereEveryWay) {
  const auto page = ask({"help", "validate"}).out;
  EXPECT_EQ(page, ask({"validate", "--help"}).out);
  EXPECT_EQ(page, ask({"validate", "nonsense", "-h", "--what"}).out);
  testing::expect_golden("text/help_validate.txt", page);
  testing::expect_golden("text/help_diff.txt", ask({"help", "diff"}).out);
}

TEST(Cli, VersionIsOneLine) { EXPECT_THAT(ask({"version"}).out, ::testing::MatchesRegex("spillway [0-9.]+\n")); }

TEST(Cli, ColourOnlyWhereItIsWanted) {
  EXPECT_THAT(ask(kBroken).out, Not(HasSubstr("\x1b[")));
  Surroundings colourful;
  colourful.colour_out = true;
  EXPECT_THAT(ask(kBroken, colourful).out, HasSubstr("\x1b[1;31merror"));
  EXPECT_THAT(ask(with(kBroken, {"--format", "json"}), colourful).out, Not(HasSubstr("\x1b[")));
}

class Completion : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shells, Completion, ::testing::Values("bash", "zsh", "fish"));

TEST_P(Completion, KnowsCommandsOptionsAndValues) {
  const auto script = ask({"completion", GetParam()}).out;
  for (const auto* part : {"validate", "explain", "serve", "world-size", "megatron-lm"}) EXPECT_THAT(script, HasSubstr(part));
}

TEST(Completion, RefusesOtherShells) { EXPECT_EQ(ask({"completion", "tcsh"}).status, kNotAsked); }

/// Sets an environment variable for one test.
struct With {
  With(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~With() { ::unsetenv(name_); }
  const char* name_;
};

TEST(Terminal, RespectsTheConventionsForColour) {
  ::unsetenv("NO_COLOR");
  EXPECT_FALSE(look_around().colour_out) << "tests do not write to a terminal";
  const With forced("CLICOLOR_FORCE", "1");
  EXPECT_TRUE(look_around().colour_out);
  const With none("NO_COLOR", "1");
  EXPECT_FALSE(look_around().colour_out);
}

}  // namespace
}  // namespace spillway::cli
