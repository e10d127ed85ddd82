#include "base/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

const RunLimits kLimits{1 << 20, milliseconds(10'000)};

TEST(RunProgram, NothingInAWordHasAMeaningOfItsOwn) {
  const auto out = run_program({"printf", "%s|", "$HOME", "`id`", "a b", "*", ";ls"}, {}, kLimits);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->out, "$HOME|`id`|a b|*|;ls|");
  EXPECT_EQ(out->status, 0);
}

TEST(RunProgram, HasNoInputAndTheVariablesAdded) {
  const auto out = run_program({"sh", "-c", "cat; echo \"$SPILLWAY_TEST\"; echo oops >&2; exit 3"}, {"SPILLWAY_TEST=yes"}, kLimits);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->out, "yes\n");
  EXPECT_EQ(out->err, "oops\n");
  EXPECT_EQ(out->status, 3);
}

TEST(RunProgram, BothStreamsMayBeLong) {
  const auto out = run_program({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"}, {}, kLimits);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->out.size(), 300'000u);
  EXPECT_LT(out->err.size(), 100'000u) << "complaints are kept from their beginning only";
}

TEST(RunProgram, SaysWhatIsNotThere) {
  const auto out = run_program({"no-such-program-anywhere"}, {}, kLimits);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, "program-not-found");
}

TEST(RunProgram, EndsWhatExceedsItsLimits) {
  const auto loud = run_program({"cat", "/dev/zero"}, {}, {1000, milliseconds(10'000)});
  ASSERT_FALSE(loud);
  EXPECT_THAT(loud.error().message, HasSubstr("more than 1000 bytes"));
  const auto slow = run_program({"sleep", "30"}, {}, {1000, milliseconds(50)});
  ASSERT_FALSE(slow);
  EXPECT_THAT(slow.error().message, HasSubstr("does not come to an end"));
}

}  // namespace
}  // namespace spillway
