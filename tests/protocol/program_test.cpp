// The process around the protocol: how it ends, and that nothing else comes out of it.
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "tests/protocol/process.hpp"
#include "tools/json.hpp"

namespace spillway::protocol {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{20'000};
const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}})"
    "\n";
const std::string kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                          "\n";

TEST(Program, EndsWithItsInput) {
  Process process({"mcp"});
  process.close_input();
  EXPECT_EQ(process.wait(kPatience), 0);
}

TEST(Program, AnswersWhatCameBeforeTheEndEvenWithoutALineEnd) {
  Process process({"mcp"});
  process.send(kInitialize +
               R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_rule","arguments":{"codes":["ACT-PP"]}}})");
  process.close_input();
  EXPECT_TRUE(process.line(kPatience));
  const auto answer = process.line(kPatience);
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->find("\"structuredContent\""), std::string::npos);
  EXPECT_EQ(process.wait(kPatience), 0);
}

class Signal : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, Signal, ::testing::Values(SIGTERM, SIGINT));

TEST_P(Signal, EndsTheProcessWithinASecond) {
  Process process({"mcp"});
  process.send(kInitialize);
  ASSERT_TRUE(process.line(kPatience)) << "it runs";
  const auto begin = std::chrono::steady_clock::now();
  process.signal(GetParam());
  EXPECT_EQ(process.wait(kPatience), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Program, EndsOnASignalAlsoWhenNobodyReadsItsAnswers) {
  Process process({"mcp"});
  process.send(kInitialize);
  ASSERT_TRUE(process.line(kPatience));
  std::thread sender([&] {
    for (int i = 0; i < 200; ++i)
      process.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
                   "\n");
  });
  std::this_thread::sleep_for(milliseconds(300));
  const auto begin = std::chrono::steady_clock::now();
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(kPatience), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  sender.join();
}

TEST(Program, SurvivesALineThatIsTooLong) {
  Process process({"mcp"});
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 33; ++i) process.send(piece);
  process.send("\n" + kPing);
  const auto refused = process.line(kPatience);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->find("larger than 32 MiB"), std::string::npos);
  const auto pong = process.line(kPatience);
  ASSERT_TRUE(pong);
  EXPECT_EQ(*pong, R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

TEST(Program, SaysNothingButMessages) {
  Process process({"mcp"});
  process.send(kInitialize + "garbage\n" + kPing + "\n\n[]\n");
  process.close_input();
  const std::string out = process.rest();
  std::size_t lines = 0, begin = 0;
  for (auto end = out.find('\n'); end != std::string::npos; begin = end + 1, end = out.find('\n', begin), ++lines)
    EXPECT_TRUE(parse_json(out.substr(begin, end - begin)));
  EXPECT_EQ(lines, 4u);
  EXPECT_EQ(begin, out.size());
}

/// The exit status of a shell command in which `$0` is the program; what it writes to standard error comes back too.
struct Ran {
  int status = -1;
  std::string err;
};
Ran shell(const std::string& command) {
  const std::string program = std::string(SPILLWAY_BINARY_DIR) + "/spillway";
  const std::string line =
      "bash -c 'exec 3>&1; { timeout 20 " + command + "; } 2>&3 3>&- | cat >/dev/null; exit ${PIPESTATUS[0]}' " + program;
  Ran ran;
  FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  for (std::size_t got; (got = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) ran.err.append(buffer, got);
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return ran;
}

TEST(Program, ClosedInputIsTheEndOfTheInput) {
  EXPECT_EQ(shell("$0 mcp <&-").status, 0);
  const Ran closed = shell("$0 validate - <&-");
  EXPECT_EQ(closed.status, 2);
  EXPECT_NE(closed.err.find("standard input is closed"), std::string::npos) << closed.err;
}

TEST(Program, AnswersThatCannotBeWrittenAreAnError) {
  for (const std::string command :
       {"$0 mcp >&-", "$0 version >&-", "$0 version >/dev/full", "$0 explain >/dev/full",
        "$0 validate --args --bf16 --launcher megatron-lm >/dev/full", "sh -c \"echo {} | $0 mcp >/dev/full\""}) {
    const Ran ran = shell(command);
    EXPECT_EQ(ran.status, 2) << command;
    EXPECT_NE(ran.err.find("error: standard output"), std::string::npos) << command << ran.err;
    EXPECT_EQ(ran.err.find("error:"), ran.err.rfind("error:")) << command << ran.err;
  }
}

TEST(Program, AReaderThatLeavesEarlyIsNotComplainedAbout) {
  const Ran ran = shell("bash -c \"$0 explain | head -1\"");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
}

TEST(Program, AReaderThatGoesAwayIsNoCrash) {
  Process process({"help"});
  EXPECT_TRUE(process.line(kPatience));
  EXPECT_EQ(process.wait(kPatience), 0);
}

}  // namespace
}  // namespace spillway::protocol
