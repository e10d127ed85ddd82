#include "server/transport/line_buffer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "server/transport/stdio.hpp"

namespace spillway::transport {
namespace {

/// All lines that a stream gives when it arrives in pieces of a size; `!` for one that is too long.
std::string lines(std::string_view stream, std::size_t piece, std::size_t limit = 8) {
  LineBuffer buffer(limit);
  std::string out;
  const auto add = [&](const std::optional<Incoming>& line) {
    if (line) out += (line->too_long ? "!" : line->text) + "|";
  };
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    buffer.append(stream.substr(at, piece));
    while (auto line = buffer.next()) add(line);
  }
  add(buffer.rest());
  return out;
}

TEST(LineBuffer, CutsTheSameLinesHoweverTheyArrive) {
  for (std::size_t piece = 1; piece < 40; ++piece) {
    EXPECT_EQ(lines("one\r\ntwo\n\n  \nthree", piece), "one|two|three|") << piece;
    EXPECT_EQ(lines("short\n123456789\nafter\n", piece), "short|!|after|") << piece;
    EXPECT_EQ(lines("1234567890123456789", piece), "!|") << piece;
    EXPECT_EQ(lines("", piece), "") << piece;
  }
}

TEST(LineBuffer, KeepsNothingOfALineThatIsTooLong) {
  LineBuffer buffer(1000);
  const std::string piece(100'000, 'x');
  for (int i = 0; i < 100; ++i) {
    buffer.append(piece);
    EXPECT_FALSE(buffer.next());
  }
  buffer.append("\nok\n");
  EXPECT_TRUE(buffer.next()->too_long);
  EXPECT_EQ(buffer.next()->text, "ok");
}

/// Two pipes and a third to wake.
struct Pipes {
  Pipes() {
    for (auto* pair : {in, out, wake}) EXPECT_EQ(::pipe(pair), 0);
  }
  ~Pipes() {
    for (auto* pair : {in, out, wake})
      for (int i = 0; i < 2; ++i) ::close(pair[i]);
  }
  int in[2], out[2], wake[2];
};

TEST(Stdio, AWakeUpEndsABlockedRead) {
  Pipes pipes;
  Stdio connection(pipes.in[0], pipes.out[1], pipes.wake[0]);
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::write(pipes.wake[1], "x", 1), 1);
  });
  EXPECT_FALSE(connection.read());
  EXPECT_TRUE(connection.interrupted());
  waker.join();
}

TEST(Stdio, AWakeUpEndsABlockedWrite) {
  Pipes pipes;
  Stdio connection(pipes.in[0], pipes.out[1], pipes.wake[0]);
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::write(pipes.wake[1], "x", 1), 1);
  });
  connection.write(std::string(1 << 20, 'x'));  // Nobody reads: a pipe holds 64 KiB.
  waker.join();
}

}  // namespace
}  // namespace spillway::transport
