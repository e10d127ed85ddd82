#include "tools/cli/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace spillway::cli {
namespace {

/// Set, and not to the empty text.
bool set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool colours(int descriptor) {
  if (set("NO_COLOR")) return false;
  const char* forced = std::getenv("CLICOLOR_FORCE");
  if (forced != nullptr && *forced != '\0' && std::string_view(forced) != "0") return true;
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

Surroundings look_around() {
  Surroundings around;
  around.colour_out = colours(STDOUT_FILENO);
  around.colour_err = colours(STDERR_FILENO);
  if (::isatty(STDERR_FILENO) == 1) around.progress = [](std::string_view line) { write_all(STDERR_FILENO, std::string(line) + "\n"); };
  return around;
}

void occupy_standard_streams() {
  // Opened the wrong way round: what is closed neither gives nor takes.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // The lowest free number is this one.
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // Whoever shares the stream may have made it so.
      pollfd polled = {descriptor, POLLOUT, 0};
      ::poll(&polled, 1, -1);
    } else if (errno != EINTR) {
      return errno == EPIPE ? 0 : errno;
    }
  }
  return 0;
}

Error unwritable(int reason) {
  const bool closed = reason == EBADF;
  return {"output-lost",
          std::string("standard output: ") + (closed ? "it is closed" : std::strerror(reason)),
          closed ? "start the program with its standard output open" : "free space there, or write somewhere else",
          {},
          "standard output"};
}

}  // namespace spillway::cli
