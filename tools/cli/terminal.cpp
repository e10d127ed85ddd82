#include "tools/cli/terminal.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

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

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EPIPE;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace spillway::cli
