#include "tools/decode.hpp"

#include "tools/encode.hpp"
#include "tools/json.hpp"
#include "tools/sizes.hpp"

namespace spillway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Sample {
  std::string text = "default";
  std::int64_t count = 1;
  std::optional<std::int64_t> world_size;
  double fraction = 0;
  bool verbose = false;
  std::vector<std::string> names;
  std::vector<std::string> words;
  Pairs env;
  std::string launcher;
  std::string memory;
};

std::optional<std::string> two_launchers(std::string_view text) {
  if (text == "Megatron-Bridge" || text == "bridge") return "bridge";
  return text == "mlm" ? std::optional<std::string>("megatron-lm") : std::nullopt;
}

void fields(Fields& f, Sample& s) {
  f("text", s.text, "");
  f("count", s.count, "").at_least(1).at_most(10);
  f("world_size", s.world_size, "").at_least(1);
  f("fraction", s.fraction, "").at_least(0).at_most(1);
  f("verbose", s.verbose, "");
  f("names", s.names, "");
  f("words", s.words, "").as_flag("set").words();
  f("env", s.env, "");
  f("launcher", s.launcher, "").one_of({"bridge", "megatron-lm"}).reads(two_launchers);
  f("memory", s.memory, "").reads(size_spelling, "a size such as 80GB");
}

Decoded decode_json(std::string_view json, Sample& sample, Wire wire = Wire::kJson) {
  const auto value = parse_json(json);
  return decode(*value->map(), fields_of(sample), wire);
}

std::string messages(const Decoded& decoded) {
  std::string out;
  for (const auto& error : decoded.errors) out += error.message + "|" + error.hint + "\n";
  return out;
}

TEST(Decode, TakesTypedValuesSilently) {
  Sample s;
  const auto decoded =
      decode_json(R"({"text":"x","count":3,"world_size":8,"fraction":0.5,"verbose":true,"names":["a","b"],"env":{"A":"1"}})", s);
  EXPECT_THAT(decoded.errors, IsEmpty()) << messages(decoded);
  EXPECT_THAT(decoded.understood, IsEmpty());
  EXPECT_EQ(s.text, "x");
  EXPECT_EQ(s.count, 3);
  EXPECT_EQ(s.world_size, 8);
  EXPECT_EQ(s.fraction, 0.5);
  EXPECT_TRUE(s.verbose);
  EXPECT_THAT(s.names, ElementsAre("a", "b"));
  EXPECT_EQ(s.env, (Pairs{{"A", "1"}}));
}

TEST(Decode, UnderstandsHumanSpellingsAndSaysSo) {
  Sample s;
  const auto decoded = decode_json(
      R"({"count":"3","world_size":8.0,"fraction":"50%","verbose":"yes","names":"a","words":"a=1 'b=[x, y]'","env":["A=1","B=x=y"],"launcher":"Megatron-Bridge","memory":"80gb"})",
      s);
  EXPECT_THAT(decoded.errors, IsEmpty()) << messages(decoded);
  EXPECT_EQ(s.count, 3);
  EXPECT_EQ(s.world_size, 8);
  EXPECT_EQ(s.fraction, 0.5);
  EXPECT_TRUE(s.verbose);
  EXPECT_THAT(s.names, ElementsAre("a"));
  EXPECT_THAT(s.words, ElementsAre("a=1", "b=[x, y]"));
  EXPECT_EQ(s.env, (Pairs{{"A", "1"}, {"B", "x=y"}}));
  EXPECT_EQ(s.launcher, "bridge");
  EXPECT_EQ(s.memory, "80 GB");
  EXPECT_THAT(decoded.understood,
              ElementsAre("count: \"3\" read as 3", "fraction: \"50%\" read as 0.5", "verbose: \"yes\" read as true",
                          HasSubstr("read as 2 words"), "launcher: \"Megatron-Bridge\" read as bridge", "memory: \"80gb\" read as 80 GB"));
}

TEST(Decode, OnACommandLineTextIsNoReinterpretation) {
  Sample s;
  const auto decoded = decode_json(R"({"count":"3","verbose":true,"launcher":"bridge"})", s, Wire::kCommandLine);
  EXPECT_THAT(decoded.errors, IsEmpty());
  EXPECT_THAT(decoded.understood, IsEmpty());
}

TEST(Decode, ReportsEveryMistakeWithTheNearestNames) {
  Sample s;
  const auto decoded = decode_json(
      R"({"wrold_size":1,"count":11,"fraction":"much","verbose":3,"names":[[]],"launcher":"brige","env":["A"],"memory":"big"})", s);
  ASSERT_EQ(decoded.errors.size(), 8u) << messages(decoded);
  const std::string all = messages(decoded);
  EXPECT_THAT(all, HasSubstr("unknown argument \"wrold_size\"|did you mean world_size?"));
  EXPECT_THAT(all, HasSubstr("count: 11 is above the most allowed, 10"));
  EXPECT_THAT(all, HasSubstr("fraction: \"much\" is not a number"));
  EXPECT_THAT(all, HasSubstr("launcher: \"brige\" is not one of bridge, megatron-lm|did you mean bridge?"));
  EXPECT_THAT(all, HasSubstr("env: \"A\" is not of the form NAME=VALUE"));
  EXPECT_THAT(all, HasSubstr("memory: \"big\" is not a size such as 80GB"));
}

TEST(Decode, NamesArgumentsAsTheWireDoes) {
  Sample s;
  EXPECT_THAT(messages(decode_json(R"({"world_size":"0"})", s, Wire::kCommandLine)),
              HasSubstr("--world-size: \"0\" is below the least allowed, 1"));
}

TEST(Decode, NullIsAbsentAndOtherSpellingsOfNamesAreUnderstood) {
  Sample s;
  const auto decoded = decode_json(R"({"text":null,"World-Size":2,"set":["a=b"]})", s);
  EXPECT_THAT(decoded.errors, IsEmpty()) << messages(decoded);
  EXPECT_EQ(s.text, "default");
  EXPECT_EQ(s.world_size, 2);
  EXPECT_THAT(s.words, ElementsAre("a=b"));
  EXPECT_THAT(decoded.understood, ElementsAre("World-Size read as world_size", "set read as words"));
}

TEST(Decode, ClipsLongValuesInMessages) {
  Sample s;
  const auto decoded = decode_json("{\"count\":\"" + std::string(10'000, 'x') + "\"}", s);
  ASSERT_EQ(decoded.errors.size(), 1u);
  EXPECT_LT(decoded.errors[0].message.size(), 200u);
}

struct Needed {
  std::string path;
};
void fields(Fields& f, Needed& n) { f("path", n.path, "Where it lies.").required(); }

TEST(Decode, MissesWhatIsRequired) {
  Needed n;
  const auto decoded = decode({}, fields_of(n), Wire::kJson);
  ASSERT_EQ(decoded.errors.size(), 1u);
  EXPECT_EQ(decoded.errors[0].code, "missing-argument");
}

TEST(Encode, LeavesOutWhatHasNoValue) {
  Sample s;
  const auto map = encode(fields_of(s));
  const config::Value value(map);
  EXPECT_EQ(value.find("world_size"), nullptr);
  EXPECT_EQ(*value.find("names"), config::Value(config::List{}));
  Sample other;
  other.count = 4;
  Sample blank;
  EXPECT_EQ(encode_stated(fields_of(other), fields_of(blank)), (config::Map{{"count", config::Value(4)}}));
}

}  // namespace
}  // namespace spillway
