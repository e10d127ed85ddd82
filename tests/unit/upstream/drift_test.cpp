#include "tools/validate/upstream/drift.hpp"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace spillway::validate::upstream {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder that vanishes with the test.
class Tree : public ::testing::Test {
 protected:
  Tree() : root(fs::path(::testing::TempDir()) / ("tree-" + std::to_string(::getpid()))) { fs::create_directories(root); }
  ~Tree() override {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file, std::ios::binary) << text;
  }
  TreeDrift drift() const {
    Rule rule;
    rule.code = "ACT-PP";
    rule.raises = {{Place::kTransformerConfig, 1, "ValueError", "no support for pipelines with offloading"}};
    rule.evidence = {"megatron/core/transformer/transformer_config.py", "if self.cpu_offloading:"};
    auto result = drift_of(root.string(), {rule});
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *result : TreeDrift{};
  }

  const fs::path root;
  const std::string message = "raise ValueError('no support for '\n  'pipelines with offloading')\n";
};

TEST_F(Tree, OfACheckoutAndOfAnInstallationAreRead) {
  for (const std::string base : {"", "src/", "3rdparty/Megatron-LM/"}) {
    put(base + "megatron/core/transformer/transformer_config.py", message);
    EXPECT_EQ(drift().rules.front().texts.front().state, TextDrift::State::kFound) << base;
    fs::remove_all(root / (base.empty() ? "megatron" : base));
  }
}

TEST_F(Tree, StatesItsVersion) {
  put("megatron/core/package_info.py", "MAJOR = 0\nMINOR = 17\nPATCH = 1\nPRE_RELEASE = ''\n");
  EXPECT_EQ(drift().version, "0.17.1");
  EXPECT_EQ(drift().core, config::Core::k0_17);
  put("megatron/core/package_info.py", "MAJOR = 0\nMINOR = 17\nPATCH = 0\nPRE_RELEASE = 'rc0'\n");
  EXPECT_EQ(drift().core, config::Core::kMain) << "what is between releases is judged as the main branch";
}

TEST_F(Tree, WithoutUpstreamIsRefused) {
  for (const auto& folder : {root.string(), std::string("/no/such")}) {
    const auto result = drift_of(folder, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "no-upstream-tree");
    EXPECT_FALSE(result.error().hint.empty());
  }
}

TEST_F(Tree, SurvivesHostileFiles) {
  put("megatron/core/transformer/transformer_config.py", message);
  put("megatron/core/large.py", std::string(50u << 20, '('));
  put("megatron/core/deep.py", std::string(1u << 20, '[') + std::string(1u << 20, '{'));
  put("megatron/core/binary.py", std::string("\x00\xff\xfe'\"\"\"\x01", 8) + std::string(1000, '\0'));
  put("megatron/core/secret.py", "x");
  fs::permissions(root / "megatron/core/secret.py", fs::perms::none);
  fs::create_directory_symlink(root / "megatron", root / "megatron/core/loop");
  fs::create_symlink("itself.py", root / "megatron/core/itself.py");
  ASSERT_EQ(::mkfifo((root / "megatron/core/pipe.py").c_str(), 0600), 0);
  const auto result = drift();
  EXPECT_EQ(result.rules.front().texts.front().state, TextDrift::State::kFound);
  std::string skipped;
  for (const auto& each : result.skipped) skipped += each + "\n";
  for (const auto* name : {"large.py", "itself.py", "pipe.py"}) EXPECT_THAT(skipped, HasSubstr(name));
}

TEST_F(Tree, IsReportedForReaders) {
  put("megatron/core/offload.py", message);
  EXPECT_THAT(drift_text({drift()}, {}), HasSubstr("moved ACT-PP"));
  EXPECT_THAT(drift_text({drift()}, {}), HasSubstr("now megatron/core/offload.py:1, was megatron/core/transformer/transformer_config.py"));
  fs::remove(root / "megatron/core/offload.py");
  const auto gone = drift();
  EXPECT_THAT(drift_text({gone}, {}), HasSubstr("gone  ACT-PP"));
  EXPECT_EQ(gone_everywhere({gone}), std::vector<std::string>{"ACT-PP"});
}

}  // namespace
}  // namespace spillway::validate::upstream
