#include "tools/unified_diff.hpp"

#include <gtest/gtest.h>

namespace spillway {
namespace {

TEST(UnifiedDiff, OfTheSameIsNothing) { EXPECT_EQ(unified_diff("a", "x\n", "x\n"), ""); }

TEST(UnifiedDiff, HasThreeLinesOfContext) {
  EXPECT_EQ(unified_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, HasAHunkForEachDistantChange) {
  std::string before, after;
  for (int i = 1; i <= 30; ++i) before += std::to_string(i) + "\n";
  for (int i = 1; i <= 30; ++i)
    if (i != 5) after += std::to_string(i) + (i == 25 ? "!\n" : "\n");
  EXPECT_EQ(unified_diff("f", before, after),
            "--- f\n+++ f\n@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n@@ -22,7 +21,7 @@\n 22\n 23\n 24\n-25\n+25!\n 26\n 27\n 28\n");
}

TEST(UnifiedDiff, SaysWhereTheLastNewlineIsMissing) {
  EXPECT_EQ(unified_diff("f", "a", "a\nb\n"), "--- f\n+++ f\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n");
  EXPECT_EQ(unified_diff("f", "", "a\n"), "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
}

TEST(PaintedDiff, KeepsTheTextWithoutColours) {
  const auto diff = unified_diff("f", "a\n", "b\n");
  EXPECT_EQ(painted_diff(diff, {}), diff);
  EXPECT_NE(painted_diff(diff, {.colour = true}).find("\x1b["), std::string::npos);
}

}  // namespace
}  // namespace spillway
