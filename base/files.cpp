#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace spillway {
namespace {

std::string readable_size(std::size_t bytes) {
  return bytes % (1024 * 1024) == 0 ? std::to_string(bytes / (1024 * 1024)) + " MiB" : std::to_string(bytes) + " bytes";
}

Error too_large(const std::string& path, std::size_t limit) {
  return {"file-too-large", path + " is larger than " + readable_size(limit), "give the configuration file alone, without logs or data"};
}

/// A descriptor that closes itself; standard input is left open.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value > 0) ::close(value);
  }
};

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  // O_NONBLOCK: opening a FIFO without a writer must not hang.
  const Descriptor file{path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.value < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Error{"file-not-found", path + ": no such file", "check the path"};
    return Error{"file-unreadable", path + ": " + std::strerror(errno), "check its permissions"};
  }
  struct stat status {};
  if (path != "-" && ::fstat(file.value, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Error{"not-a-file", path + " is a folder", "name the configuration file inside it"};
    if (S_ISSOCK(status.st_mode) || S_ISBLK(status.st_mode))
      return Error{"not-a-file", path + " is not a regular file", "name a configuration file"};
    if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > limit) return too_large(path, limit);
  }
  if (path != "-" && !S_ISREG(status.st_mode)) ::fcntl(file.value, F_SETFL, 0);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.value, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{"file-unreadable", path + ": " + std::strerror(errno), "check its permissions"};
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > limit) return too_large(path, limit);
  }
}

}  // namespace spillway
