// Unknown is an answer: what nobody states, or what cannot be resolved, never makes a verdict ok.
#include <algorithm>

#include "base/text.hpp"
#include "tools/config/reader.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {
namespace {

constexpr std::string_view kRun = "torchrun pretrain_gpt.py --num-layers 8 --hidden-size 64 --num-attention-heads 8 ";

Answer answer(std::string_view text) {
  config::ReadContext context;
  context.name = "source";
  auto reading = config::read_source(text, context);
  Question question;
  question.env_stated = true;
  if (!reading.ok())
    ADD_FAILURE() << reading.error().message;
  else
    question.config.stack({"source", std::string(text), ""}, std::move(*reading));
  return validate(question);
}

Answer script(const std::string& lines) { return answer("#!/bin/bash\n" + lines); }

bool left_open(const Answer& given, std::string_view code) {
  return std::find(given.unchecked.begin(), given.unchecked.end(), code) != given.unchecked.end();
}

TEST(Unknown, ASwitchThatFollowsFromAnUnresolvedCountIsUnresolved) {
  const Answer open = script(std::string(kRun) + "--cpu-offloading-num-layers $N --pipeline-model-parallel-size 2\n");
  EXPECT_EQ(open.verdict, "unknown");
  EXPECT_TRUE(left_open(open, "ACT-PP"));
  const Answer closed = script("N=4\n" + std::string(kRun) + "--cpu-offloading-num-layers $N --pipeline-model-parallel-size 2\n");
  EXPECT_EQ(closed.verdict, "error");
}

TEST(Unknown, WordsThatMayBeAnyOptionLeaveTheRestOpen) {
  const Answer open = script(std::string(kRun) + "$EXTRA --cpu-offloading-num-layers 4\n");
  EXPECT_EQ(open.verdict, "unknown");
  ASSERT_FALSE(open.missing.empty());
  EXPECT_NE(open.missing.front().what.find("$EXTRA"), std::string::npos);
}

TEST(Unknown, WordsOfTheCallerAreAssumedAwayAloud) {
  const Answer assumed = script(std::string(kRun) + "\"$@\" --cpu-offloading-num-layers 4\n");
  EXPECT_NE(assumed.verdict, "unknown");
  EXPECT_TRUE(std::any_of(assumed.assumptions.begin(), assumed.assumptions.end(),
                          [](const std::string& text) { return text.find("$@") != std::string::npos; }));
}

TEST(Unknown, AnUnseenChangeOfARecipeLeavesItsValuesOpen) {
  const std::string recipe = "cfg = qwen3_30b_a3b_pretrain_config()\ncfg.model.cpu_offloading = True\n";
  EXPECT_NE(answer(recipe).verdict, "unknown");
  const Answer open = answer(recipe + "apply(cfg)\n");
  EXPECT_EQ(open.verdict, "unknown");
  ASSERT_FALSE(open.missing.empty());
  EXPECT_NE(open.missing.front().what.find("apply(cfg)"), std::string::npos);
}

TEST(Unknown, AFragmentIsNoCompleteRun) {
  EXPECT_EQ(answer("model.cpu_offloading=true\n").verdict, "unknown");
  EXPECT_EQ(answer("--optimizer-cpu-offload\n").verdict, "unknown");
  EXPECT_EQ(answer("--cpu-offloading-num-layers 4 --pipeline-model-parallel-size 2\n").verdict, "error") << "what is certain is said";
}

}  // namespace
}  // namespace spillway::validate
