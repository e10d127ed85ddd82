// Conversations as files: tests/protocol/cases/*.txt. A line after `>` is sent as it is; a line after `<` is what must come next
// (see matching.hpp); `<` alone says that nothing comes. Every conversation is held in memory and with the real program.
#include <filesystem>
#include <thread>

#include "base/text.hpp"
#include "server/commands/identity.hpp"
#include "server/mcp/dispatcher.hpp"
#include "server/transport/in_memory.hpp"
#include "tests/protocol/matching.hpp"
#include "tests/protocol/process.hpp"
#include "tests/support/golden.hpp"
#include "tools/json.hpp"

namespace spillway::protocol {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

const fs::path kCases = fs::path(SPILLWAY_SOURCE_DIR) / "tests/protocol/cases";
constexpr milliseconds kPatience{20'000};
constexpr milliseconds kSilence{50};

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kCases)) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Whoever is at the other end.
struct Peer {
  std::function<void(const std::string&)> send;
  std::function<std::optional<std::string>(milliseconds)> receive;
};

void expect_message(const std::string& expected, const Peer& peer, const std::string& where) {
  const auto message = peer.receive(expected.empty() ? kSilence : kPatience);
  if (expected.empty()) {
    EXPECT_FALSE(message) << where << ": nothing was expected, got " << message.value_or("");
    return;
  }
  ASSERT_TRUE(message) << where << ": nothing came";
  const auto wanted = parse_json(expected), got = parse_json(*message);
  ASSERT_TRUE(wanted) << where << " is not JSON: " << wanted.error().message;
  ASSERT_TRUE(got) << where << ": not a message: " << *message;
  EXPECT_EQ(mismatch(*wanted, *got), "") << where << ": " << *message;
}

void hold(const std::string& name, const Peer& peer) {
  int number = 0;
  const std::string text = testing::file_text(kCases / (name + ".txt"));
  for (const auto line : split(text, '\n')) {
    const std::string where = name + ".txt:" + std::to_string(++number);
    if (line.starts_with(">")) peer.send(std::string(trim(line.substr(1))));
    if (line.starts_with("<")) expect_message(std::string(trim(line.substr(1))), peer, where);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

class Conversation : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Cases, Conversation, ::testing::ValuesIn(case_names()), [](const auto& tested) { return tested.param; });

TEST_P(Conversation, InMemory) {
  const mcp::Server server(commands::identity(), catalog::all());
  transport::InMemory connection;
  std::thread serving([&] { EXPECT_TRUE(mcp::serve(server, connection)); });
  hold(GetParam(),
       {[&](const std::string& text) { connection.send(text); }, [&](milliseconds patience) { return connection.receive(patience); }});
  connection.close();
  serving.join();
}

TEST_P(Conversation, WithTheProgram) {
  Process process({"mcp"});
  hold(GetParam(),
       {[&](const std::string& text) { process.send(text + "\n"); }, [&](milliseconds patience) { return process.line(patience); }});
  process.close_input();
  EXPECT_EQ(process.wait(kPatience), 0);
}

}  // namespace
}  // namespace spillway::protocol
