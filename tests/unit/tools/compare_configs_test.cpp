// The comparison as a tool: two sources, two versions, revisions of a git repository.
#include <filesystem>
#include <fstream>

#include "base/process.hpp"
#include "base/text.hpp"
#include "tests/support/golden.hpp"
#include "tools/catalog.hpp"
#include "tools/json.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;
using config::Map;
using config::Value;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBefore =
    "model:\n  num_layers: 8\n  hidden_size: 1024\n  num_attention_heads: 8\n  cpu_offloading: true\n  cpu_offloading_num_layers: 4\n";

class CompareConfigs : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("spillway_compare_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    context_.directory = folder_.string();
    write("before.yaml", kBefore);
    write("after.yaml", std::string(kBefore) + "  pipeline_model_parallel_size: 2\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  Reply ask(const Map& arguments) {
    static const auto tools = catalog::all();
    return call(*catalog::find(tools, "compare_configs"), arguments, Wire::kJson, context_, {});
  }

  std::string error_of(const Map& arguments) {
    const Reply reply = ask(arguments);
    return reply.ok() ? "" : reply.errors[0].code + ": " + reply.errors[0].message;
  }

  /// False where git is not there.
  bool git(std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder_.string(), "-c", "user.name=t", "-c", "user.email=t@example.org"});
    const auto done =
        run_program(words, {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null"}, {1 << 20, std::chrono::seconds(20)});
    return done && done->status == 0;
  }

  bool commit() { return git({"add", "-A"}) && git({"commit", "-q", "-m", "x"}); }

  fs::path folder_;
  ToolContext context_;
};

TEST_F(CompareConfigs, SaysWhatChangedAndWhatItDid) {
  const Reply reply = ask({{"before", "before.yaml"}, {"after", "after.yaml"}});
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  EXPECT_EQ(reply.conclusion, Conclusion::kBad);
  const Value answer(reply.structured);
  EXPECT_EQ(*answer.find("verdict"), Value("error"));
  EXPECT_EQ(answer.map()->at(1).first, "summary");
  const Value& change = answer.find("changed")->list()->at(0);
  EXPECT_EQ(*change.find("key"), Value("model.pipeline_model_parallel_size"));
  EXPECT_EQ(*change.find("before"), Value("1"));
  EXPECT_EQ(*change.find("after"), Value("2"));
  EXPECT_EQ(change.find("location_before"), nullptr) << "what is not there is absent";
  EXPECT_EQ(*change.find("location_after")->find("file"), Value("after.yaml"));
  EXPECT_EQ(*answer.find("appeared")->list()->at(0).find("code"), Value("ACT-PP"));
  EXPECT_THAT(reply.text, HasSubstr("pipeline_model_parallel_size: 1 → 2"));
  EXPECT_THAT(to_json(answer), Not(HasSubstr("null")));
}

TEST_F(CompareConfigs, TheSameTwiceIsFine) {
  const Reply reply = ask({{"before", "before.yaml"}, {"after", "before.yaml"}});
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.conclusion, Conclusion::kGood);
  EXPECT_THAT(reply.text, HasSubstr("no effective value changed"));
}

TEST_F(CompareConfigs, OneSourceCanBeJudgedForTwoVersions) {
  const Reply reply = ask({{"before", "before.yaml"}, {"before_te", "2.9"}, {"after_te", "2.14"}, {"mcore", "0.18"}});
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  EXPECT_THAT(reply.text, HasSubstr("te: 2.9 → 2.14"));
  EXPECT_EQ(Value(reply.structured).find("context")->find("mcore")->str(), "0.18");
}

TEST_F(CompareConfigs, TextsAndArgumentListsAreSourcesToo) {
  const Reply reply = ask({{"before_text", "--num-layers 8 --hidden-size 64 --optimizer-cpu-offload --use-precision-aware-optimizer"},
                           {"after_text", "--num-layers 8 --hidden-size 64 --optimizer-cpu-offload"}});
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  EXPECT_THAT(reply.text, HasSubstr("OPT-PA-REQUIRED"));
  EXPECT_EQ(reply.conclusion, Conclusion::kBad);
}

TEST_F(CompareConfigs, SaysWhatCannotBeCompared) {
  EXPECT_THAT(error_of({{"before", "before.yaml"}}), HasSubstr("nothing-to-compare"));
  EXPECT_THAT(error_of({}), HasSubstr("nothing-to-compare"));
  EXPECT_THAT(error_of({{"before", "before.yaml"}, {"after", "none.yaml"}}), HasSubstr("file-not-found"));
  EXPECT_THAT(error_of({{"before", "no.yaml"}, {"after", "none.yaml"}}), HasSubstr("no.yaml"));
  EXPECT_THAT(error_of({{"before", "-"}, {"after", "-"}}), HasSubstr("bad-value"));
  EXPECT_THAT(error_of({{"before", "before.yaml"}, {"after_mcore", "9.9"}}), HasSubstr("after_mcore"));
}

TEST_F(CompareConfigs, ReadsRevisions) {
  if (!git({"init", "-q"})) GTEST_SKIP() << "git is not installed";
  write("configs/job.yaml", kBefore);
  ASSERT_TRUE(commit());
  write("configs/job.yaml", std::string(kBefore) + "  pipeline_model_parallel_size: 2\n");
  ASSERT_TRUE(commit());
  const Reply reply = ask({{"before", "HEAD~1:configs/job.yaml"}, {"after", "configs/job.yaml"}});
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  EXPECT_EQ(reply.conclusion, Conclusion::kBad);
  const Reply both = ask({{"before", "HEAD~1:configs/job.yaml"}, {"after", "HEAD:configs/job.yaml"}});
  ASSERT_TRUE(both.ok()) << text_of(both.errors, {});
  EXPECT_THAT(both.text, HasSubstr("HEAD:configs/job.yaml:7:3"));
}

TEST_F(CompareConfigs, RevisionsThatCannotBeReadSaySo) {
  if (!git({"init", "-q"})) GTEST_SKIP() << "git is not installed";
  ASSERT_TRUE(commit());
  for (const std::string name : {"HEAD:none.yaml", "nowhere:before.yaml", "HEAD:"}) {
    const std::string error = error_of({{"before", Value(name)}, {"after", "after.yaml"}});
    EXPECT_THAT(error, HasSubstr(name)) << error;
  }
  EXPECT_THAT(error_of({{"before", "HEAD:none.yaml"}, {"after", "after.yaml"}}), HasSubstr("revision-not-read"));
  EXPECT_THAT(error_of({{"before", "--output=x:y"}, {"after", "after.yaml"}}), HasSubstr("bad-revision"));
  EXPECT_FALSE(fs::exists(folder_ / "x"));
}

TEST_F(CompareConfigs, AFileOfThatNameWinsOverARevision) {
  write("HEAD:job.yaml", kBefore);
  const Reply reply = ask({{"before", "HEAD:job.yaml"}, {"after", "before.yaml"}});
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  EXPECT_EQ(reply.conclusion, Conclusion::kGood);
}

TEST_F(CompareConfigs, OutsideARepositorySaysSo) {
  const std::string error = error_of({{"before", "HEAD:before.yaml"}, {"after", "after.yaml"}});
  EXPECT_THAT(error, HasSubstr("revision-not-read"));
  context_.may_read_files = false;
  EXPECT_THAT(error_of({{"before", "HEAD:before.yaml"}, {"after", "after.yaml"}}), HasSubstr("files-not-allowed"));
}

}  // namespace
}  // namespace spillway
