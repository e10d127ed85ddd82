#include "tests/protocol/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace spillway::protocol {
namespace {

using Clock = std::chrono::steady_clock;

int left(Clock::time_point end) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  return ms < 0 ? 0 : static_cast<int>(ms);
}

}  // namespace

Process::Process(const std::vector<std::string>& args) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return;
  std::vector<char*> argv;
  std::vector<std::string> words = {std::string(SPILLWAY_BINARY_DIR) + "/spillway"};
  words.insert(words.end(), args.begin(), args.end());
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  in_ = in[1];
  out_ = out[0];
  ::signal(SIGPIPE, SIG_IGN);
}

Process::~Process() {
  close_input();
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0) ::close(out_);
}

void Process::send(const std::string& bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto written = ::write(in_, bytes.data() + at, bytes.size() - at);
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

void Process::close_input() {
  if (in_ >= 0) ::close(in_);
  in_ = -1;
}

std::optional<std::string> Process::line(std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    if (const auto at = buffer_.find('\n'); at != std::string::npos) {
      std::string text = buffer_.substr(0, at);
      buffer_.erase(0, at + 1);
      return text;
    }
    pollfd polled = {out_, POLLIN, 0};
    if (::poll(&polled, 1, left(end)) <= 0) return std::nullopt;
    char bytes[4096];
    const auto got = ::read(out_, bytes, sizeof bytes);
    if (got <= 0) return std::nullopt;
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

std::string Process::rest() {
  std::string text;
  while (auto next = line(std::chrono::seconds(20))) text += *next + "\n";
  return text + buffer_;
}

void Process::signal(int number) { ::kill(pid_, number); }

std::optional<int> Process::wait(std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  do {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  } while (Clock::now() < end);
  return std::nullopt;
}

}  // namespace spillway::protocol
