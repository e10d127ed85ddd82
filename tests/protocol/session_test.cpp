// What a session does while tools run: tools that wait, report, fail, and do not stop.
#include <atomic>
#include <condition_variable>
#include <thread>

#include "server/mcp/dispatcher.hpp"
#include "server/transport/in_memory.hpp"
#include "tests/protocol/matching.hpp"
#include "tools/json.hpp"

namespace spillway::mcp {
namespace {

using config::Value;
using std::chrono::milliseconds;

constexpr milliseconds kPatience{20'000};
constexpr milliseconds kSilence{60};

struct Args {
  std::int64_t steps = 0;
};
void fields(Fields& f, Args& args) { f("steps", args.steps, "How many."); }

struct Output {
  std::string said;
};
void fields(Fields& f, Output& out) { f("said", out.said, "What was said."); }

std::string said(const Output& out, const Style&) { return out.said; }

AnyTool tool(std::string_view name, Result<Output> (*run)(const ToolContext&, const Args&)) {
  return Tool<Args, Output>{{name, name, "A tool", "A tool for tests.", {true, false, true, false}}, Args{1}, run, &said};
}

std::atomic<int> stopped{0};

/// Runs until it is told to stop.
Result<Output> wait_for_stop(const ToolContext& context, const Args&) {
  while (!context.cancelled()) std::this_thread::sleep_for(milliseconds(1));
  ++stopped;
  return Output{"stopped"};
}

Result<Output> report_steps(const ToolContext& context, const Args& args) {
  for (std::int64_t i = 0; i < args.steps; ++i) context.report({static_cast<double>(i), static_cast<double>(args.steps), "step"});
  context.report({0, {}, "a step back is no progress"});
  return Output{"reported"};
}

Result<Output> fail_inside(const ToolContext&, const Args&) { throw std::runtime_error("a secret"); }

Result<Output> echo(const ToolContext&, const Args& args) { return Output{std::to_string(args.steps)}; }

/// A server with these tools, an initialized session, and the client's end.
class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    stopped = 0;
    serving_ = std::thread([this] { finished_ = serve(server_, connection_); });
    send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
    expect(R"({"id":0,"result":{}})");
  }
  void TearDown() override { end(); }

  void end() {
    connection_.close();
    if (serving_.joinable()) serving_.join();
  }

  void send(std::string text) { connection_.send(std::move(text)); }
  void call(const std::string& id, const std::string& name, const std::string& more = "") {
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + name + "\"" + more + "}}");
  }
  void expect(const std::string& pattern) {
    const auto message = connection_.receive(kPatience);
    ASSERT_TRUE(message) << "nothing came for " << pattern;
    EXPECT_EQ(protocol::mismatch(*parse_json(pattern), *parse_json(*message)), "") << *message;
  }
  void expect_silence() {
    const auto message = connection_.receive(kSilence);
    EXPECT_FALSE(message) << *message;
  }

  std::vector<std::string> logged_;
  const Server server_{
      Options{.version = "0", .workers = 2, .max_in_flight = 3, .log = [this](std::string_view line) { logged_.emplace_back(line); }},
      {tool("wait", &wait_for_stop), tool("steps", &report_steps), tool("fail", &fail_inside), tool("echo", &echo)}};
  transport::InMemory connection_;
  std::thread serving_;
  bool finished_ = false;
};

TEST_F(SessionTest, ASlowToolStopsNeitherPingNorOtherTools) {
  call("1", "wait");
  send(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  expect(R"({"id":2,"result":{}})");
  call("3", "echo", R"(,"arguments":{"steps":7})");
  expect(R"({"id":3,"result":{"content":[{"type":"text","text":"7"}],"structuredContent":{"said":"7"},"isError":null}})");
  send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
}

TEST_F(SessionTest, ACancelledCallIsStoppedAndNeverAnswered) {
  call("\"a\"", "wait");
  send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"changed my mind"}})");
  expect_silence();
  send(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  expect(R"({"id":2,"result":{}})");
  end();
  EXPECT_EQ(stopped, 1);
  EXPECT_TRUE(finished_);
}

TEST_F(SessionTest, CancellingWhatIsNotOpenIsIgnored) {
  for (const auto* id : {"99", "\"1\"", "null", "{}"})
    send(std::string(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)") + id + "}}");
  send(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  expect_silence();
}

TEST_F(SessionTest, ProgressGoesToWhoAskedForItAndOnlyGrows) {
  call("1", "steps", R"(,"arguments":{"steps":3},"_meta":{"progressToken":"t"})");
  for (const auto* step : {"0.0", "1.0", "2.0"})
    expect(std::string(R"({"method":"notifications/progress","params":{"progressToken":"t","progress":)") + step +
           R"(,"total":3.0,"message":"step"}})");
  expect(R"({"id":1,"result":{"structuredContent":{"said":"reported"}}})");
  call("2", "steps", R"(,"arguments":{"steps":3})");
  expect(R"({"id":2,"result":{}})");
}

TEST_F(SessionTest, ABugIsAnInternalErrorThatTellsNothingAndTheSessionLivesOn) {
  call("1", "fail");
  expect(R"({"id":1,"error":{"code":-32603,"message":"internal error in fail"}})");
  call("2", "echo");
  expect(R"({"id":2,"result":{}})");
  end();
  ASSERT_EQ(logged_.size(), 1u);
  EXPECT_THAT(logged_[0], ::testing::HasSubstr("a secret"));
}

TEST_F(SessionTest, TooManyOpenCallsAreRefusedForNow) {
  for (const auto* id : {"1", "2", "3"}) call(id, "wait");
  call("4", "echo");
  expect(R"({"id":4,"result":{"isError":true,"content":[{"text":"*3 calls are open already*"}]}})");
  for (const auto* id : {"1", "2", "3"})
    send(std::string(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)") + id + "}}");
}

TEST_F(SessionTest, AnIdThatIsOpenCannotBeUsedAgain) {
  call("1", "wait");
  call("1", "echo");
  expect(R"({"id":1,"error":{"code":-32600}})");
  send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
}

TEST_F(SessionTest, WhatIsOpenAtTheEndOfInputIsFinished) {
  for (int i = 1; i <= 3; ++i) call(std::to_string(i), "echo");
  end();
  EXPECT_TRUE(finished_);
  for (int i = 1; i <= 3; ++i) EXPECT_TRUE(connection_.receive(milliseconds(0)));
}

}  // namespace
}  // namespace spillway::mcp
