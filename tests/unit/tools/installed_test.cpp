#include "tools/installed.hpp"

#include <filesystem>
#include <fstream>

#include "tools/config_input.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class InstalledTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("spillway_installed_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  void package(const std::string& name, const std::string& version, const std::string& where = "lib/python3.12/site-packages") {
    write(where + "/" + name + "-" + version + ".dist-info/METADATA",
          "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n\nVersion: 9 is not a header\n");
  }

  Installed find(const std::string& name = "") {
    auto found = find_installed((folder_ / name).string());
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found ? *found : Installed{};
  }

  fs::path folder_;
};

constexpr const char* kPackageInfo =
    "# Copyright\nMAJOR = 0\nMINOR = 18\nPATCH = 1\nPRE_RELEASE = 'rc2'  # next\nVERSION = (MAJOR, MINOR)\n";

TEST_F(InstalledTest, ReadsAVirtualEnvironment) {
  package("megatron_core", "0.17.0");
  package("megatron_bridge", "0.3.0");
  package("transformer_engine", "2.9.0+cu12");
  package("transformer_engine_torch", "2.8.0");
  package("torch", "2.9.0a0");
  package("torchvision", "0.1");
  const Installed found = find();
  EXPECT_EQ(found.core->version, "0.17.0");
  EXPECT_EQ(found.bridge->version, "0.3.0");
  EXPECT_EQ(found.te->version, "2.9.0+cu12") << "the package itself, not its torch part";
  EXPECT_THAT(found.te->where, EndsWith("transformer_engine-2.9.0+cu12.dist-info"));
  EXPECT_EQ(found.torch->version, "2.9.0a0");
  EXPECT_EQ(find("lib/python3.12/site-packages").core->version, "0.17.0") << "the folder of packages itself";
}

TEST_F(InstalledTest, ReadsDebiansFoldersEggsAndNamesInAnyCase) {
  package("Transformer.Engine_torch", "2.4.0", "lib/python3.10/dist-packages");
  write("lib/python3.10/dist-packages/megatron_core.egg-info/PKG-INFO", "Name: megatron-core\nVersion: 0.16.0\n");
  write("lib/python3.10/dist-packages/torch-2.6.0.dist-info/RECORD", "");
  const Installed found = find();
  EXPECT_EQ(found.te->version, "2.4.0");
  EXPECT_EQ(found.core->version, "0.16.0");
  EXPECT_EQ(found.torch->version, "2.6.0") << "the folder's name where there is no METADATA";
}

TEST_F(InstalledTest, ReadsSourcesWhereTheyAre) {
  write("site-packages/megatron/core/package_info.py", kPackageInfo);
  EXPECT_EQ(find().core->version, "0.18.1rc2");
  write("checkout/src/megatron/bridge/package_info.py", kPackageInfo);
  write("checkout/3rdparty/Megatron-LM/megatron/core/package_info.py", kPackageInfo);
  const Installed bridge = find("checkout");
  EXPECT_EQ(bridge.bridge->version, "0.18.1rc2");
  EXPECT_THAT(bridge.core->where, HasSubstr("3rdparty"));
}

TEST_F(InstalledTest, AnEditableInstallationIsItsCheckout) {
  package("megatron_core", "0.15.0");
  const std::string url = "file://" + folder_.string() + "/my%20megatron";
  write("lib/python3.12/site-packages/megatron_core-0.15.0.dist-info/direct_url.json",
        R"({"dir_info": {"editable": true}, "url": ")" + url + "\"}");
  EXPECT_EQ(find().core->version, "0.15.0") << "what it points to is gone";
  write("my megatron/megatron/core/package_info.py", kPackageInfo);
  EXPECT_EQ(find().core->version, "0.18.1rc2");
}

TEST_F(InstalledTest, SaysWhatItLookedFor) {
  const auto none = find_installed(folder_.string());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "nothing-installed");
  EXPECT_THAT(none.error().hint, HasSubstr("site-packages"));
  write("file", "x");
  for (const std::string name : {"file", "none"}) {
    const auto found = find_installed((folder_ / name).string());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, "not-a-folder");
  }
}

TEST_F(InstalledTest, SurvivesWhatIsBroken) {
  write("site-packages/megatron_core-.dist-info/METADATA", "no headers at all");
  write("site-packages/.dist-info/METADATA", "");
  write("site-packages/torch-2.dist-info/direct_url.json", "[1, 2");
  write("site-packages/megatron/core/package_info.py", "MAJOR = \nMINOR\n= 3\n");
  fs::create_directories(folder_ / "site-packages/transformer_engine-2.1.dist-info/METADATA");
  const auto found = find_installed(folder_.string());
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->te->version, "2.1");
}

struct Match {
  std::string core, bridge, profile, note;
};

TEST(MatchCore, TakesTheNearestKnownVersion) {
  for (const auto& [core, bridge, profile, note] : std::vector<Match>{{"0.17.0", "", "0.17", ""},
                                                                      {"0.17.1", "", "0.17", "nearest"},
                                                                      {"0.18.0rc1", "", "0.18", "nearest"},
                                                                      {"0.14.0", "", "0.15", "older"},
                                                                      {"0.20.0", "", "main", "newer"},
                                                                      {"0.19.0.dev20260801", "", "main", "newer"},
                                                                      {"0.20.0rc0", "0.3.0", "bridge-pin", "newer"},
                                                                      {"", "0.3.0", "bridge-pin", "pins"},
                                                                      {"0.16.0", "0.2.0", "0.16", ""},
                                                                      {"1.0", "", "main", "newer"}}) {
    Installed installed;
    if (!core.empty()) installed.core = InstalledPackage{core, ""};
    if (!bridge.empty()) installed.bridge = InstalledPackage{bridge, ""};
    const auto match = match_core(installed);
    ASSERT_TRUE(match) << core;
    EXPECT_EQ(config::profile(match->core).name, profile) << core << " " << bridge;
    EXPECT_THAT(match->note, HasSubstr(note)) << core;
    EXPECT_EQ(match->note.empty(), note.empty()) << core;
  }
  EXPECT_FALSE(match_core({}));
}

TEST_F(InstalledTest, TheQuestionIsAskedForWhatIsInstalled) {
  package("megatron_core", "0.17.1");
  package("transformer_engine", "2.9.0");
  package("torch", "2.8.0");
  ToolContext context;
  context.directory = folder_.parent_path().string();
  ConfigInput input;
  input.args = "--num-layers 2";
  input.from_env = folder_.filename().string();
  const auto question = read_input(input, context);
  ASSERT_TRUE(question) << question.error().message;
  EXPECT_EQ(question->core, config::Core::k0_17);
  EXPECT_EQ(question->te, (Version{2, 9, 0}));
  EXPECT_EQ(question->torch, (Version{2, 8, 0}));
  const auto answer = validate::validate(*question);
  const std::string said = ::testing::PrintToString(answer.assumptions);
  EXPECT_THAT(said, HasSubstr("Transformer Engine 2.9.0: from "));
  EXPECT_THAT(said, HasSubstr("judged as Megatron-Core 0.17, the nearest release"));
  input.te = "2.14";
  input.mcore = "main";
  const auto stated = read_input(input, context);
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->te, (Version{2, 14, 0})) << "what is stated wins";
  EXPECT_EQ(stated->core, config::Core::kMain);
  context.may_read_files = false;
  EXPECT_EQ(read_input(input, context).error().code, "files-not-allowed");
}

}  // namespace
}  // namespace spillway
