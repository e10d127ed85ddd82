#include "tools/validate/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "tools/config/reader.hpp"

namespace spillway::validate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kModel = "num_layers: 8\n  hidden_size: 1024\n  num_attention_heads: 8\n";

Question question(const std::string& text, std::optional<config::Core> core = {}) {
  Question out;
  out.core = core;
  out.env_stated = true;
  config::ReadContext context;
  context.name = "job.yaml";
  context.core = core.value_or(config::Core::kBridgePin);
  auto reading = config::read_source(text, context);
  EXPECT_TRUE(reading.ok()) << reading.error().message;
  if (reading) out.config.stack({context.name, text, ""}, std::move(*reading));
  return out;
}

Question model(const std::string& lines, const std::string& rest = "") {
  std::string text = "model:\n  " + kModel;
  for (const auto line : split(lines, '\n'))
    if (!line.empty()) text += "  " + std::string(line) + "\n";
  return question(text + rest);
}

std::string keys_of(const std::vector<ChangedValue>& changes) {
  std::string out;
  for (const auto& change : changes) out += change.key + " " + shown(change.before) + " → " + shown(change.after) + "\n";
  return out;
}

std::string codes_of(const std::vector<Finding>& findings) {
  std::string out;
  for (const auto& finding : findings) out += finding.code + " ";
  return out;
}

TEST(Comparison, NamesTheNewErrorAndTheValueItIsAbout) {
  const auto out = compare(model("cpu_offloading: true\ncpu_offloading_num_layers: 4"),
                           model("cpu_offloading: true\ncpu_offloading_num_layers: 4\npipeline_model_parallel_size: 2"));
  EXPECT_EQ(out.verdict, "error");
  EXPECT_THAT(out.summary, HasSubstr("1 new error: ACT-PP; changed: pipeline_model_parallel_size 1 → 2"));
  ASSERT_FALSE(out.changed.empty());
  EXPECT_EQ(out.changed[0].key, "model.pipeline_model_parallel_size");
  EXPECT_FALSE(out.changed[0].before_at) << "a default stands nowhere";
  ASSERT_TRUE(out.changed[0].after_at);
  EXPECT_EQ(out.changed[0].after_at->line, 7);
}

TEST(Comparison, TheOtherWayRoundNothingGotWorse) {
  const auto out = compare(model("cpu_offloading: true\ncpu_offloading_num_layers: 4\npipeline_model_parallel_size: 2"),
                           model("cpu_offloading: true\ncpu_offloading_num_layers: 4"));
  EXPECT_EQ(out.verdict, "ok") << out.summary;
  EXPECT_THAT(codes_of(out.gone), HasSubstr("ACT-PP"));
  EXPECT_THAT(out.summary, HasSubstr("1 error gone: ACT-PP"));
}

TEST(Comparison, AnErrorOnBothSidesIsNotNew) {
  const auto out = compare(model("cpu_offloading: true\ncpu_offloading_num_layers: 4\npipeline_model_parallel_size: 2"),
                           model("cpu_offloading: true\ncpu_offloading_num_layers: 5\npipeline_model_parallel_size: 4"));
  EXPECT_NE(out.verdict, "error") << out.summary;
  EXPECT_THAT(codes_of(out.same), HasSubstr("ACT-PP"));
  EXPECT_THAT(out.summary, HasSubstr("1 error on both sides: ACT-PP"));
}

struct Respelling {
  std::string name, before, after;
};

class NoChange : public ::testing::TestWithParam<Respelling> {};

TEST_P(NoChange, IsSeen) {
  const auto out = compare(question(GetParam().before), question(GetParam().after));
  EXPECT_THAT(keys_of(out.changed), IsEmpty());
  EXPECT_EQ(out.verdict, "ok");
  EXPECT_THAT(out.summary, HasSubstr("no effective value changed"));
}

INSTANTIATE_TEST_SUITE_P(
    Spellings, NoChange,
    ::testing::Values(Respelling{"order", "model:\n  num_layers: 8\n  hidden_size: 64\n", "model:\n  hidden_size: 64\n  num_layers: 8\n"},
                      Respelling{"default_written", "model:\n  " + kModel,
                                 "model:\n  " + kModel + "  pipeline_model_parallel_size: 1\n  cpu_offloading: false\n"},
                      Respelling{"builder_style", "model:\n  " + kModel + "  recompute_granularity: full\n",
                                 "model:\n  transformer:\n    recompute_granularity: full\n    num_layers: 8\n    hidden_size: 1024\n    "
                                 "num_attention_heads: 8\n"},
                      Respelling{"dtype", "model:\n  " + kModel + "optimizer:\n  main_params_dtype: bf16\n",
                                 "model:\n  " + kModel + "optimizer:\n  main_params_dtype: torch.bfloat16\n"},
                      Respelling{"set", "model:\n  " + kModel + "  offload_modules: [core_attn, attn_proj]\n",
                                 "model:\n  " + kModel + "  offload_modules:\n    - attn_proj\n    - core_attn\n"},
                      Respelling{"number", "model:\n  " + kModel + "optimizer:\n  optimizer_offload_fraction: 1\n",
                                 "model:\n  " + kModel + "optimizer:\n  optimizer_offload_fraction: 1.0\n"},
                      Respelling{"module_default", "model:\n  " + kModel + "  recompute_granularity: selective\n",
                                 "model:\n  " + kModel + "  recompute_granularity: selective\n  recompute_modules: [core_attn]\n"},
                      Respelling{"distributed_optimizer", "model:\n  " + kModel + "ddp:\n  use_distributed_optimizer: true\n",
                                 "model:\n  " + kModel + "optimizer:\n  use_distributed_optimizer: true\n"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Comparison, AVersionChangesDefaultsAndRules) {
  const std::string text = "model:\n  " + kModel + "  cpu_offloading: true\n  cpu_offloading_num_layers: 4\n";
  const auto out = compare(question(text, config::Core::k0_17), question(text, config::Core::kMain));
  EXPECT_THAT(keys_of(out.changed), HasSubstr("mcore 0.17 → main\n"));
  EXPECT_EQ(keys_of(out.changed).find("model.num_layers"), std::string::npos);
  EXPECT_EQ(out.changed[0].key, "mcore");
}

TEST(Comparison, ValuesThatNobodyGaveMakeItUnknown) {
  const auto out = compare(question("model:\n  cpu_offloading: true\n"), question("model:\n  cpu_offloading: false\n"));
  EXPECT_EQ(out.verdict, "unknown");
  EXPECT_FALSE(out.missing.empty());
  const auto same = compare(question("model:\n  cpu_offloading: true\n"), question("model:\n  cpu_offloading: true\n"));
  EXPECT_EQ(same.verdict, "ok") << "whatever the missing value is, it is the same on both sides";
}

TEST(Comparison, AValueThatIsNotStatedIsAbsent) {
  const auto out = compare(question("model:\n  cpu_offloading_num_layers: 1\n"),
                           question("model:\n  cpu_offloading_num_layers: 1\n  recompute_method: null\n"));
  ASSERT_EQ(out.changed.size(), 1u) << keys_of(out.changed);
  EXPECT_FALSE(out.changed[0].before);
  EXPECT_EQ(shown(out.changed[0].before), "not stated");
  EXPECT_EQ(shown(out.changed[0].after), "None");
}

TEST(Comparison, AVariableIsTheSameWhereverItIsSet) {
  Question before = model("", "env_vars:\n  NVTE_CPU_OFFLOAD_V1: 1\n");
  Question after = model("");
  after.env["NVTE_CPU_OFFLOAD_V1"] = "1";
  EXPECT_THAT(keys_of(compare(before, after).changed), IsEmpty());
  after.env["NVTE_CPU_OFFLOAD_V1"] = "0";
  EXPECT_EQ(keys_of(compare(before, after).changed), "env.NVTE_CPU_OFFLOAD_V1 1 → 0\n");
}

TEST(Comparison, TwoRecipesDifferInWhatTheyGive) {
  Question before, after;
  before.env_stated = after.env_stated = true;
  before.config.recipe = config::Setting{"recipe", config::Value("qwen3_30b_a3b_pretrain_config"), {}};
  after.config.recipe = config::Setting{"recipe", config::Value("llama31_8b_pretrain_2gpu_h100_bf16_config"), {}};
  const auto out = compare(before, after);
  EXPECT_EQ(out.changed[0].key, "recipe");
  EXPECT_THAT(keys_of(out.changed), HasSubstr("model.num_layers 48 → 32"));
}

}  // namespace
}  // namespace spillway::validate
