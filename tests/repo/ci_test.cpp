// What docs/ci.md, README.md and the pre-commit hook tell people to type has to work.
#include <yaml-cpp/yaml.h>

#include <sys/wait.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/catalog.hpp"

namespace spillway {
namespace {

const std::string kRoot = SPILLWAY_SOURCE_DIR;

std::string text_of_file(const std::string& file) {
  const auto text = read_file(kRoot + "/" + file, 1u << 20);
  EXPECT_TRUE(text) << file;
  return text ? *text : "";
}

/// The options that a line gives to `spillway COMMAND`.
std::vector<std::string> options_on(std::string_view line, std::string_view command) {
  std::vector<std::string> options;
  const auto begin = line.find("spillway " + std::string(command));
  if (begin == std::string_view::npos) return options;
  line = line.substr(begin, line.find('`', begin) - begin);
  if (const auto quoted = line.find('"'); quoted != std::string_view::npos) line = line.substr(0, quoted);
  for (const auto word : split(line, ' '))
    if (word.starts_with("--")) options.emplace_back(word.substr(2, word.find_first_of("=`,;") - 2));
  return options;
}

bool has_option(const AnyTool& tool, const std::string& name) {
  if (name == "format" || name == "help") return true;
  const auto call = tool.ask();
  for (const auto& field : call->input())
    if (field.has_flag && flag_of(field) == name) return true;
  return false;
}

TEST(Advice, OptionsExist) {
  int seen = 0;
  for (const auto* file : {"docs/ci.md", "README.md"}) {
    const std::string text = text_of_file(file);
    for (const auto line : split(text, '\n'))
      for (const auto& tool : catalog::all())
        for (const auto& option : options_on(line, tool.info().command)) {
          EXPECT_TRUE(has_option(tool, option)) << file << ": " << line;
          ++seen;
        }
  }
  EXPECT_GT(seen, 8);
}

TEST(Advice, FormatsExist) {
  const auto tools = catalog::all();
  const auto formats = catalog::find(tools, "validate")->formats();
  EXPECT_NE(std::find(formats.begin(), formats.end(), "sarif"), formats.end());
}

/// A page is read whole, by people and by agents whose context it takes.
TEST(References, AreSmall) {
  int seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot + "/skill/references")) {
    if (entry.path().extension() != ".md") continue;
    const auto text = read_file(entry.path().string(), 1u << 20);
    ASSERT_TRUE(text);
    EXPECT_LE(std::count(text->begin(), text->end(), '\n'), 60) << entry.path();
    EXPECT_LE(text->size(), 6000u) << entry.path() << ": about 1500 tokens";
    ++seen;
  }
  EXPECT_GT(seen, 100);
}

YAML::Node hook() { return YAML::Load(text_of_file(".pre-commit-hooks.yaml"))[0]; }

/// The exit status of the hook for these words.
int run_hook(const std::string& words) {
  const std::string path = "PATH=\"" SPILLWAY_BINARY_DIR ":$PATH\" ";
  const int status = std::system((path + hook()["entry"].as<std::string>() + " " + words + " > /dev/null 2>&1").c_str());
  return WEXITSTATUS(status);
}

TEST(Hook, HasWhatPreCommitReads) {
  for (const auto* member : {"id", "name", "language", "entry", "files"}) EXPECT_TRUE(hook()[member]) << member;
  EXPECT_EQ(hook()["id"].as<std::string>(), "spillway-validate");
  EXPECT_TRUE(hook()["pass_filenames"].as<bool>());
}

TEST(Hook, JudgesEachFileAlone) {
  const std::string rules = kRoot + "/tests/golden/rules/ACT-PP/";
  EXPECT_EQ(run_hook(rules + "pass.yaml"), 0);
  EXPECT_EQ(run_hook(rules + "fail.yaml " + rules + "pass.yaml"), 1) << "stacked, the second would repair the first";
  EXPECT_EQ(run_hook("--mcore=0.18 " + rules + "pass.yaml " + rules + "pass.yaml"), 0);
  EXPECT_EQ(run_hook("--wrong " + rules + "pass.yaml"), 1);
}

}  // namespace
}  // namespace spillway
