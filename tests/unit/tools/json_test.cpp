#include "tools/json.hpp"

namespace spillway {
namespace {

using config::Value;

std::string again(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_json(*value) : value.error().code;
}

TEST(Json, ReadsBackWhatItWrites) {
  for (const std::string text : {R"({"b":1,"a":[true,null,-2,"x\n\"y"],"c":{}})", "[]", "3", "\"\"", "-0.5", "9223372036854775807"})
    EXPECT_EQ(again(text), text);
}

TEST(Json, KeepsTheLastOfTwoMembersWithOneName) { EXPECT_EQ(again(R"({"a":1,"b":2,"a":3})"), R"({"b":2,"a":3})"); }

TEST(Json, TurnsIntegersBeyond64BitsIntoNumbers) { EXPECT_EQ(again("18446744073709551615"), "1.8446744073709552e+19"); }

TEST(Json, RefusesWhatIsNotJson) {
  for (const std::string text : {"", "{", "{bad", "[1,]", "nul", "\"a", "{} {}", "\xFF", "\"\xC0\x80\"", "[1e999]"})
    EXPECT_EQ(again(text), "bad-json") << text;
}

TEST(Json, BoundsDepthAndCount) {
  EXPECT_EQ(again(std::string(65, '[') + std::string(65, ']')), "too-deep");
  EXPECT_EQ(again(std::string(1'000'000, '[')), "too-deep");
  const std::string many = "[" + std::string(40, '0').replace(1, 39, ",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0").substr(0, 39) + "]";
  EXPECT_EQ(parse_json(many, {.depth = 8, .values = 10}).error().code, "too-many-values");
}

TEST(Json, ReplacesBytesThatAreNoUtf8) { EXPECT_EQ(to_json(Value("a\xFFz")), "\"a\xEF\xBF\xBDz\""); }

}  // namespace
}  // namespace spillway
