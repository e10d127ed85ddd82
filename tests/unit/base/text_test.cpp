#include "base/text.hpp"

#include "base/version.hpp"

namespace spillway {
namespace {

TEST(EditDistance, CountsTheFourKindsOfSlip) {
  EXPECT_EQ(edit_distance("offload", "offload", 3), 0u);
  EXPECT_EQ(edit_distance("offload", "ofload", 3), 1u);
  EXPECT_EQ(edit_distance("offload", "offlaod", 3), 1u);
  EXPECT_EQ(edit_distance("offload", "reload", 2), 3u) << "gives up above the limit";
}

TEST(Nearest, FindsTheMeantNameAndNothingWhenNoneIsNear) {
  const std::vector<std::string_view> names = {"--optimizer-cpu-offload", "--optimizer-offload-fraction", "--lr"};
  EXPECT_EQ(nearest("--optimizer_cpu_ofload", names), std::vector<std::string>{"--optimizer-cpu-offload"});
  EXPECT_TRUE(nearest("--banana", names).empty());
}

TEST(ValidUtf8, KeepsTextAndReplacesBrokenBytes) {
  EXPECT_EQ(valid_utf8("grün ✓"), "grün ✓");
  EXPECT_EQ(valid_utf8("a\xFF\xC0\x80z"), "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz");
  EXPECT_EQ(valid_utf8("cut \xE2\x9C"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Version, ReadsReleasesWithSuffixes) {
  EXPECT_EQ(Version::parse("2.20.0+cu12"), (Version{2, 20, 0}));
  EXPECT_EQ(Version::parse("2.20.0.dev0"), (Version{2, 20, 0, 0}));
  EXPECT_EQ(Version::parse("2.9.0a0+git1"), (Version{2, 9, 0, 0}));
  EXPECT_EQ(Version::parse("2.10rc1"), (Version{2, 10, 0, 0}));
  EXPECT_LT(*Version::parse("2.10.0.dev0"), *Version::parse("2.10"));
  EXPECT_LT(*Version::parse("2.9.3"), *Version::parse("2.10.0.dev0"));
  EXPECT_EQ(Version::parse("v0.17"), (Version{0, 17, 0}));
  EXPECT_LT(*Version::parse("2.9"), *Version::parse("2.10"));
  EXPECT_FALSE(Version::parse("main"));
}

}  // namespace
}  // namespace spillway
