#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
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

namespace {

Error not_written(const std::string& path, int reason) {
  const char* hint = reason == ENOSPC ? "make room on the disk" : "check the permissions of the file and of its folder";
  return {"file-not-written", path + ": " + std::strerror(reason), hint};
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  char resolved[PATH_MAX];
  const std::string target = ::realpath(path.c_str(), resolved) != nullptr ? resolved : path;
  std::string draft = target + ".XXXXXX";
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  // A file that may not be written must not be replaced either.
  if (exists && ::access(target.c_str(), W_OK) != 0) return not_written(path, errno);
  const int file = ::mkstemp(draft.data());
  if (file < 0) return not_written(path, errno);
  const mode_t mode = exists ? status.st_mode & 07777 : 0644;
  const bool good = write_all(file, text) && ::fchmod(file, mode) == 0 && ::fsync(file) == 0;
  const int reason = errno;
  if (::close(file) == 0 && good && ::rename(draft.c_str(), target.c_str()) == 0) return std::nullopt;
  const int later = good ? errno : reason;
  ::unlink(draft.c_str());
  return not_written(path, later);
}

}  // namespace spillway
