#include "base/visible.hpp"

namespace spillway {
namespace {

TEST(Visible, SpellsOutWhatSteersATerminalOrHidesInIt) {
  EXPECT_EQ(visible("a\x1b[31mb\x7F\a"), "a\\x1b[31mb\\x7f\\x07");
  EXPECT_EQ(visible("\xC2\x9B"
                    "31m"),
            "\\u{9b}31m")
      << "a C1 control";
  EXPECT_EQ(visible("x\xE2\x80\xAEy\xE2\x81\xA6z"), "x\\u{202e}y\\u{2066}z") << "bidirectional overrides";
  EXPECT_EQ(visible("\xE2\x80\x8B\xEF\xBB\xBF\xF3\xA0\x80\x81"), "\\u{200b}\\u{feff}\\u{e0001}") << "what has no width";
  EXPECT_EQ(visible("\xFF\xC0\x80 cut \xE2\x9C"), "\\xff\\xc0\\x80 cut \\xe2\\x9c");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
}

TEST(Visible, LeavesTextAlone) {
  EXPECT_EQ(visible("grün ✓ 層 → …\n\tnext"), "grün ✓ 層 → …\n\tnext");
  EXPECT_EQ(visible(visible("a\x1b")), visible("a\x1b"));
  EXPECT_EQ(visible_line("a\n\tb"), "a\\n b");
}

TEST(Clipped, CutsBetweenCharacters) {
  EXPECT_EQ(clipped("äöü", 6), "äöü");
  EXPECT_EQ(clipped("äöü", 5), "äö…");
  EXPECT_EQ(clipped("äöü", 1), "…");
}

TEST(Columns, CountWhatATerminalShows) {
  EXPECT_EQ(columns("größe"), 5u);
  EXPECT_EQ(columns("層x"), 3u) << "a wide character takes two";
  EXPECT_EQ(columns("e\xCC\x81"), 1u) << "a combining mark takes none";
}

}  // namespace
}  // namespace spillway
