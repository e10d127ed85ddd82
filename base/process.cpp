#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

extern char** environ;

namespace spillway {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxComplaint = 16u << 10;  // Bytes of standard error that are kept.

/// Both ends of a pipe; those still open close themselves.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close_read(), close_write(); }
  bool open() { return ::pipe2(ends, O_CLOEXEC) == 0; }
  void close_read() { close_end(ends[0]); }
  void close_write() { close_end(ends[1]); }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

/// What the new process starts with: our two pipes, no input, no blocked signals.
class Setup {
 public:
  Setup(int out, int err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, err, 2);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, defaults;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;
  ~Setup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  /// 0 or the reason.
  int start(pid_t& process, std::vector<char*>& words, std::vector<char*>& environment) const {
    return ::posix_spawnp(&process, words[0], &actions_, &attributes_, words.data(), environment.data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  return out;
}

std::string name_of(const std::string& assignment) { return assignment.substr(0, assignment.find('=') + 1); }

/// Ours, without what is added anew.
std::vector<char*> environment_of(std::vector<std::string>& added) {
  std::vector<char*> out = pointers(added);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::none_of(added.begin(), added.end(), [&](const auto& text) { return std::string_view(*entry).starts_with(name_of(text)); }))
      out.push_back(*entry);
  out.push_back(nullptr);
  return out;
}

Error failed(const std::string& program, const std::string& what) {
  return {"program-failed", program + " " + what, "run it by hand to see more"};
}

Error not_started(const std::string& program, int reason) {
  if (reason == ENOENT) return {"program-not-found", program + " is not installed", "install " + program + ", or put it on the PATH"};
  return failed(program, std::string("cannot be started: ") + std::strerror(reason));
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What is there to read; false at the end.
bool drain(int end, std::string& text) {
  char buffer[1 << 16];
  const ssize_t got = ::read(end, buffer, sizeof buffer);
  if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

/// Reads both streams to their ends; the reason when a limit is exceeded first.
std::optional<std::string> collect(int out, int err, const RunLimits& limits, Finished& finished) {
  pollfd ends[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* const texts[] = {&finished.out, &finished.err};
  const auto deadline = Clock::now() + limits.patience;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return "does not come to an end";
    if (::poll(ends, 2, static_cast<int>(left)) < 0 && errno != EINTR) return std::string("cannot be read: ") + std::strerror(errno);
    for (int i = 0; i < 2; ++i)
      if (ends[i].revents != 0 && !drain(ends[i].fd, *texts[i])) ends[i].fd = -1;
    if (finished.out.size() > limits.bytes) return "writes more than " + std::to_string(limits.bytes) + " bytes";
    if (finished.err.size() > kMaxComplaint) finished.err.resize(kMaxComplaint);
  }
  return std::nullopt;
}

}  // namespace

Result<Finished> run_program(const std::vector<std::string>& words, const std::vector<std::string>& environment, const RunLimits& limits) {
  std::vector<std::string> own = words, added = environment;
  std::vector<char*> arguments = pointers(own), variables = environment_of(added);
  arguments.push_back(nullptr);
  Pipe out, err;
  if (!out.open() || !err.open()) return not_started(words[0], errno);
  pid_t process = 0;
  if (const int reason = Setup(out.ends[1], err.ends[1]).start(process, arguments, variables)) return not_started(words[0], reason);
  out.close_write();
  err.close_write();
  Finished finished;
  const auto exceeded = collect(out.ends[0], err.ends[0], limits, finished);
  if (exceeded) ::kill(process, SIGKILL);
  finished.status = wait_for(process);
  if (exceeded) return failed(words[0], *exceeded);
  return finished;
}

}  // namespace spillway
