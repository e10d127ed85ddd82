#include "server/jsonrpc/message.hpp"

namespace spillway::jsonrpc {
namespace {

std::string kind_of(std::string_view text) {
  const auto parsed = parse(text);
  if (const auto* malformed = std::get_if<Malformed>(&parsed))
    return std::to_string(malformed->failure.code) + (malformed->id.is_null() ? "" : " id " + malformed->id.str());
  if (std::get_if<Ignored>(&parsed)) return "ignored";
  const auto& message = std::get<Message>(parsed);
  return message.kind == Message::Kind::kRequest ? "request" : message.kind == Message::Kind::kNotification ? "notification" : "response";
}

TEST(Parse, TellsTheKindsApart) {
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), "request");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":"a","method":"ping","params":{}})"), "request");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","method":"ping"})"), "notification");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1,"result":{}})"), "response");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})"), "response");
}

TEST(Parse, NamesTheIdOfABrokenMessageWhereItCanBeRead) {
  EXPECT_EQ(kind_of("{"), "-32700");
  EXPECT_EQ(kind_of("[]"), "-32600");
  EXPECT_EQ(kind_of(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), "-32600");
  EXPECT_EQ(kind_of("3"), "-32600");
  EXPECT_EQ(kind_of(R"({"id":7,"method":"ping"})"), "-32600 id 7");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"1.0","id":7,"method":"ping"})"), "-32600 id 7");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), "-32600");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), "-32600");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":{},"method":"ping"})"), "-32600");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":7,"method":3})"), "-32600 id 7");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":7})"), "-32600 id 7");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":7,"method":"ping","params":[1]})"), "-32602 id 7");
  EXPECT_EQ(kind_of(std::string(100, '[')), "-32600") << "too deep";
}

TEST(Parse, NeverAnswersABrokenResponse) {
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})"), "ignored");
  EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}})"), "ignored");
}

TEST(Write, EchoesTheTypeOfTheIdAndLeavesNullOut) {
  EXPECT_EQ(result_text(Value(1), Value(config::Map{})), R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(result_text(Value("1"), Value(config::Map{})), R"({"jsonrpc":"2.0","id":"1","result":{}})");
  EXPECT_EQ(failure_text({}, {kParseError, "x", {}}), R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}})");
  EXPECT_EQ(failure_text(Value(2), {-1, "a\nb", {{"k", Value(true)}}}),
            R"({"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"a\nb","data":{"k":true}}})");
}

}  // namespace
}  // namespace spillway::jsonrpc
