#include "tools/config_input.hpp"

#include <filesystem>
#include <fstream>

#include "tools/gpu_names.hpp"
#include "tools/sizes.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder of its own that goes away with the test.
class ConfigInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("spillway_input_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    context_.directory = folder_.string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  std::string error_codes(const ConfigInput& input) {
    const auto question = read_input(input, context_);
    if (question) return "";
    std::string codes = question.error().code;
    for (const auto& error : question.error().also) codes += " " + error.code;
    return codes;
  }

  fs::path folder_;
  ToolContext context_;
};

TEST_F(ConfigInputTest, StacksRecipeSourcesArgsAndOverridesInThisOrder) {
  write("a.yaml", "model:\n  cpu_offloading_num_layers: 1\n  num_layers: 4\n");
  write("b.yaml", "model:\n  cpu_offloading_num_layers: 2\n");
  ConfigInput input;
  input.sources = {"a.yaml", "b.yaml"};
  auto question = read_input(input, context_);
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->config.find("model.cpu_offloading_num_layers")->value, config::Value(2));
  input.overrides = {"model.cpu_offloading_num_layers=3"};
  input.recipe = "qwen3_30b_a3b_pretrain_config";
  question = read_input(input, context_);
  ASSERT_TRUE(question) << question.error().message;
  const auto* winner = question->config.find("model.cpu_offloading_num_layers");
  EXPECT_EQ(winner->value, config::Value(3));
  EXPECT_EQ(question->config.sources[static_cast<std::size_t>(winner->origin.source)].name, "--set");
  ASSERT_TRUE(question->config.recipe);
}

TEST_F(ConfigInputTest, TakesTheRunConfigOfACheckpointFolder) {
  write("ckpt/iter_0000010/run_config.yaml", "model:\n  num_layers: 1\n");
  write("ckpt/iter_0000020/run_config.yaml", "model:\n  num_layers: 2\n");
  ConfigInput input;
  input.sources = {"ckpt"};
  const auto question = read_input(input, context_);
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->config.sources[0].name, "ckpt/iter_0000020/run_config.yaml");
  EXPECT_EQ(question->config.find("model.num_layers")->value, config::Value(2));
}

TEST_F(ConfigInputTest, ScriptsAreKnownByNameAndByFile) {
  const auto call_with = [](const char* script) {
    ConfigInput input;
    return decode({{"script", config::Value(script)}}, fields_of(input), Wire::kCommandLine).errors.size() == 0 ? input.script : "";
  };
  EXPECT_EQ(call_with("t5"), "t5");
  EXPECT_EQ(call_with("examples/pretrain_GPT.py"), "gpt");
  EXPECT_EQ(call_with("mamba"), "hybrid");
  EXPECT_EQ(call_with("nonsense"), "");
}

TEST_F(ConfigInputTest, AnOverrideThatNamesNothingIsSaidWhateverTheLauncher) {
  ConfigInput input;
  input.args = "--num-layers 2";
  input.overrides = {"bogus=1", "model.num_layers=4"};
  const auto question = read_input(input, context_);
  ASSERT_TRUE(question) << question.error().message;
  const auto& remarks = question->config.remarks;
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].kind, config::Remark::Kind::kIgnored);
  EXPECT_THAT(remarks[0].subject, HasSubstr("bogus"));
  EXPECT_THAT(remarks[0].detail, HasSubstr("megatron-lm"));
}

TEST_F(ConfigInputTest, TheEnvironmentIsOneThatAProcessCanHave) {
  ConfigInput input;
  input.args = "--bf16";
  input.env = {{"OMP_NUM_THREADS", "x"}, {"A B", "1"}, {"CUDA_DEVICE_MAX_CONNECTIONS", ""}};
  EXPECT_EQ(error_codes(input), "bad-value bad-value bad-value");
  input.env = {{"OMP_NUM_THREADS", "4,2"}, {"ANY", "text"}};
  EXPECT_EQ(error_codes(input), "");
}

TEST_F(ConfigInputTest, EveryErrorNamesItsSource) {
  write("open.sh", "#!/bin/bash\ntorchrun pretrain_gpt.py 'open\n");
  write("broken.yaml", "model:\n  a: 1\n b: 2\n");
  write("comments.yaml", "# nothing\n\n# else\n");
  for (const std::string name : {"open.sh", "broken.yaml", "comments.yaml"}) {
    ConfigInput input;
    input.sources = {name};
    const auto question = read_input(input, context_);
    ASSERT_FALSE(question) << name;
    EXPECT_THAT(question.error().message, HasSubstr(name));
    EXPECT_THAT(question.error().where, HasSubstr(name));
    EXPECT_FALSE(question.error().hint.empty()) << name;
  }
}

TEST_F(ConfigInputTest, StreamsAreForThoseWhoMayReadStandardInput) {
  ConfigInput input;
  input.sources = {"/dev/stdin"};
  EXPECT_THAT(error_codes(input), ::testing::AnyOf("not-a-file", "unknown-form", "empty-source"));
  input.sources = {"/dev/zero"};
  EXPECT_EQ(error_codes(input), "not-a-file");
}

TEST_F(ConfigInputTest, SettingsAndRemarksHoldNoSecretAndTheTextStaysAsGiven) {
  write("run.sh", "#!/bin/bash\nexport WANDB_API_KEY=zzSECRETzz\npython pretrain_gpt.py --num-layers 2 --hf-token zzSECRETzz\n");
  ConfigInput input;
  input.sources = {"run.sh"};
  const auto question = read_input(input, context_);
  ASSERT_TRUE(question) << question.error().message;
  const config::Source& source = question->config.sources[0];
  EXPECT_THAT(source.text, HasSubstr("WANDB_API_KEY=zzSECRETzz")) << "it may be written back";
  std::string kept;
  for (const auto& setting : question->config.settings) kept += setting.value.repr() + setting.origin.spelling;
  for (const auto& remark : question->config.remarks) kept += remark.subject + remark.detail;
  EXPECT_THAT(kept, ::testing::Not(HasSubstr("SECRET")));
}

TEST_F(ConfigInputTest, SaysWhatIsInAFolderWithoutConfig) {
  write("ckpt/model.bin", "x");
  ConfigInput input;
  input.sources = {"ckpt"};
  const auto question = read_input(input, context_);
  ASSERT_FALSE(question);
  EXPECT_EQ(question.error().code, "no-config-in-folder");
  EXPECT_THAT(question.error().hint, HasSubstr("model.bin"));
}

TEST_F(ConfigInputTest, ReportsEveryErrorOfEverySource) {
  write("empty.yaml", "");
  ConfigInput input;
  input.sources = {"none.yaml", "empty.yaml"};
  input.recipe = "qwen3_30b_a3b_pretrain_confi";
  EXPECT_EQ(error_codes(input), "file-not-found empty-source unknown-recipe");
}

TEST_F(ConfigInputTest, ReadsNoFilesWhereItMayNot) {
  ConfigInput input;
  input.sources = {"-"};
  EXPECT_EQ(error_codes(input), "files-not-allowed") << "standard input belongs to the protocol";
  context_.may_read_files = false;
  input.sources = {"/etc/passwd"};
  EXPECT_EQ(error_codes(input), "files-not-allowed");
}

TEST_F(ConfigInputTest, SaysThatNothingWasGiven) { EXPECT_EQ(error_codes({}), "nothing-to-read"); }

TEST_F(ConfigInputTest, ReadsTheSiteAndLetsTheQuestionWin) {
  write("site.json", R"({"te": "2.9", "gpu": "H100", "ranks_per_node": 8, "env": {"A": "1"}})");
  ConfigInput input;
  input.overrides = {"model.cpu_offloading=true"};
  input.site = "site.json";
  input.te = "2.14";
  const auto question = read_input(input, context_);
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->te, (Version{2, 14, 0}));
  EXPECT_EQ(question->gpu, "h100-80g");
  EXPECT_EQ(question->ranks_per_node, 8);
  EXPECT_TRUE(question->env_stated);
  write("site.json", R"({"te": "2.9", "gppu": "H100"})");
  EXPECT_EQ(error_codes(input), "unknown-argument");
}

TEST(GpuNames, UnderstandsPeopleAndDrivers) {
  EXPECT_EQ(gpu_spelling("H100"), "h100-80g");
  EXPECT_EQ(gpu_spelling("NVIDIA H100 80GB HBM3"), "h100-80g");
  EXPECT_EQ(gpu_spelling("NVIDIA A100-SXM4-40GB"), "a100-40g");
  EXPECT_EQ(gpu_spelling("a100-40g"), "a100-40g");
  EXPECT_EQ(gpu_spelling("NVIDIA GH200 480GB"), "gh200");
  EXPECT_EQ(gpu_spelling("gb200_nvl72"), "gb200");
  EXPECT_EQ(gpu_spelling("toaster"), std::nullopt);
  for (const auto name : gpu_names()) EXPECT_EQ(gpu_spelling(name), std::string(name)) << "a name means itself";
}

TEST(Sizes, TellDecimalFromBinary) {
  EXPECT_EQ(parse_size("80GB"), 80'000'000'000);
  EXPECT_EQ(parse_size("80 GiB"), 80LL << 30);
  EXPECT_EQ(parse_size("1.5t"), 1'500'000'000'000);
  EXPECT_EQ(parse_size("80"), 80'000'000'000);
  EXPECT_EQ(parse_size("85899345920"), 85'899'345'920);
  EXPECT_EQ(size_spelling("512gib"), "512 GiB");
  for (const auto* text : {"", "GB", "-1GB", "80 parsecs", "1e300GB", "nan"}) EXPECT_EQ(parse_size(text), std::nullopt) << text;
}

}  // namespace
}  // namespace spillway
