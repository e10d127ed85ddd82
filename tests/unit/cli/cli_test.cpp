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
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("/no/such.yaml"));
  EXPECT_THAT(outcome.err, HasSubstr("/nor/this.yaml"));
}

TEST(Cli, SuggestsTheNearestCommand) {
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
