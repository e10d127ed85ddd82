#include "tools/docs/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

#include "tests/support/golden.hpp"
#include "tools/docs/markdown.hpp"
#include "tools/docs/tree.hpp"

namespace spillway::docs {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Page> all_pages() { return pages(validate::rules::all(), catalog::all(), {}); }

TEST(Pages, ThereIsOneForEveryRuleFamilyAndTool) {
  std::set<std::string> paths;
  for (const auto& page : all_pages()) paths.insert(page.path);
  EXPECT_EQ(paths.size(), all_pages().size());
  for (const auto& rule : validate::rules::all()) {
    EXPECT_TRUE(paths.contains("skill/references/rules/" + std::string(rule.code) + ".md"));
    EXPECT_TRUE(paths.contains("skill/references/rules/" + std::string(family_of(rule)) + ".md"));
  }
  for (const auto& tool : catalog::all()) EXPECT_TRUE(paths.contains("skill/references/tools/" + std::string(tool.info().command) + ".md"));
  EXPECT_TRUE(paths.contains("skill/references/rules/README.md"));
  EXPECT_TRUE(paths.contains("skill/references/tools.md"));
}

TEST(Pages, AreMarkedAndEndWithALineEnd) {
  for (const auto& page : all_pages()) {
    EXPECT_TRUE(page.text.starts_with(kMark)) << page.path;
    EXPECT_TRUE(page.text.ends_with("\n") && !page.text.ends_with("\n\n")) << page.path;
    EXPECT_THAT(page.text, Not(HasSubstr("\n\n\n"))) << page.path;
    EXPECT_THAT(page.text, Not(HasSubstr(".md)"))) << page.path << " refers to others by name, not by link";
  }
}

TEST(Pages, SayWhatARuleIs) {
  validate::Rule rule;
  rule.code = "ACT-PP";
  rule.summary = "layers <n> do not run with a pipeline";
  rule.raises = {{validate::Place::kTransformerConfig, 1, "ValueError", "no `pipeline` for {}"}};
  rule.what = "cpu_offloading is on, and __init__ sees *several* stages.";
  rule.why = "Backward comes too early.";
  rule.remedy = "Use one stage.";
  rule.evidence = {"megatron/core/x.py", "if self.cpu_offloading:"};
  const Example example = {"tests/golden/rules/ACT-PP/fail.yaml", "model:\n  a: 1\n", " --te 2.9", "it cannot run", {"safe: remove it"}};
  testing::expect_golden("text/rule_page.md", rule_page(rule, &example));
}

TEST(Markdown, TakesNothingForMarkup) {
  EXPECT_EQ(prose("a_b __init__ <x> *"), "a_b \\_\\_init\\_\\_ \\<x> \\*");
  EXPECT_EQ(code("a `b` c"), "`` a `b` c ``");
  EXPECT_EQ(cell("a|b"), "a\\|b");
  EXPECT_EQ(sentence("word here"), "Word here.");
  EXPECT_EQ(sentence("cpu_offloading is on"), "cpu_offloading is on.");
}

/// A folder that vanishes with the test.
struct Folder {
  Folder() : path(fs::path(::testing::TempDir()) / ("docs-" + std::to_string(::getpid()))) { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

TEST(Tree, WritesWhatDiffersAndRemovesWhatItOnceWrote) {
  const Folder folder;
  const std::string root = folder.path.string(), mark = std::string(kMark) + "\n";
  const std::vector<Page> wanted = {{"skill/references/rules/A.md", mark + "a\n"}, {"skill/references/tools.md", mark + "t\n"}};
  EXPECT_EQ(compare(root, wanted).missing.size(), 2u);
  ASSERT_FALSE(write(root, wanted, compare(root, wanted)));
  EXPECT_TRUE(compare(root, wanted).none());
  std::ofstream(folder.path / "skill/references/rules/OLD.md") << mark << "old\n";
  std::ofstream(folder.path / "skill/references/own.md") << "by hand\n";
  std::ofstream(folder.path / "skill/references/tools.md") << mark << "other\n";
  const auto difference = compare(root, wanted);
  EXPECT_EQ(difference.superfluous, std::vector<std::string>{"skill/references/rules/OLD.md"});
  EXPECT_EQ(difference.stale, std::vector<std::string>{"skill/references/tools.md"});
  ASSERT_FALSE(write(root, wanted, difference));
  EXPECT_TRUE(compare(root, wanted).none());
  EXPECT_TRUE(fs::exists(folder.path / "skill/references/own.md"));
  EXPECT_FALSE(fs::exists(folder.path / "skill/references/rules/OLD.md"));
}

}  // namespace
}  // namespace spillway::docs
