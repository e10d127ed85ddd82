#include "base/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace spillway {
namespace {

/// How long a pipe may be without anybody who writes to it.
constexpr int kPipePatience = 5'000;  // Milliseconds; a writer that is started together with the reader needs far less.

std::string readable_size(std::size_t bytes) {
  return bytes % (1024 * 1024) == 0 ? std::to_string(bytes / (1024 * 1024)) + " MiB" : std::to_string(bytes) + " bytes";
}

/// A file as people call it.
std::string called(const std::string& path) { return path == "-" ? "standard input" : path; }

Error failed(std::string code, const std::string& path, const std::string& what, std::string hint) {
  return {std::move(code), called(path) + what, std::move(hint), {}, called(path)};
}

Error too_large(const std::string& path, std::size_t limit) {
  return failed("file-too-large", path, " is larger than " + readable_size(limit),
                "give the configuration file alone, without logs or data");
}

/// The one remedy of each reason that a file cannot be opened or read.
std::string_view remedy(int reason) {
  switch (reason) {
    case EACCES:
    case EPERM:
      return "check its permissions";
    case ELOOP:
      return "its symbolic links lead in a circle; name the file itself";
    case ENAMETOOLONG:
      return "a path is shorter; to give the text of a configuration itself, write it to standard input and name -";
    case EBADF:
      return "give the configuration on standard input, or name a file";
    case ENXIO:
    case ENODEV:
      return "name a configuration file";
    case EMFILE:
    case ENFILE:
      return "too many files are open; close some";
    default:
      return "name a file that can be read";
  }
}

Error not_opened(const std::string& path, int reason) {
  if (path.empty()) return {"file-not-found", "the name of a file is empty", "name a file, or - for standard input"};
  if (reason == ENOENT || reason == ENOTDIR) return failed("file-not-found", path, ": no such file", "check the path");
  return failed("file-unreadable", path, std::string(": ") + std::strerror(reason), std::string(remedy(reason)));
}

Error not_read(const std::string& path, int reason) {
  if (reason == EBADF && path == "-") return failed("file-unreadable", path, " is closed", std::string(remedy(reason)));
  if (reason == EISDIR) return failed("not-a-file", path, " is a folder", "name the configuration file inside it");
  return failed("file-unreadable", path, std::string(": ") + std::strerror(reason), std::string(remedy(reason)));
}

/// A descriptor that closes itself; standard input is left open.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value > 0) ::close(value);
  }
};

bool wait_for(int descriptor) {
  pollfd polled = {descriptor, POLLIN, 0};
  return ::poll(&polled, 1, kPipePatience) > 0;
}

std::optional<Error> unfit(const std::string& path, int descriptor, std::size_t limit) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return failed("not-a-file", path, " is a folder", "name the configuration file inside it");
  if (S_ISREG(status.st_mode)) {
    if (static_cast<std::size_t>(status.st_size) > limit) return too_large(path, limit);
    return std::nullopt;
  }
  if (path == "-") return std::nullopt;
  if (S_ISSOCK(status.st_mode) || S_ISBLK(status.st_mode))
    return failed("not-a-file", path, " is not a regular file", "name a configuration file");
  // A named pipe that was opened without a writer looks like one that has ended, unless it is waited for.
  if (S_ISFIFO(status.st_mode) && !wait_for(descriptor))
    return failed("file-unreadable", path, " is a pipe that nobody writes to", "start what writes to it first, or name a file");
  ::fcntl(descriptor, F_SETFL, 0);
  return std::nullopt;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  // O_NONBLOCK: opening a FIFO without a writer must not hang.
  const Descriptor file{path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.value < 0) return not_opened(path, errno);
  if (auto error = unfit(path, file.value, limit)) return std::move(*error);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.value, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && wait_for(file.value)) continue;  // Whoever shares the stream made it so.
    if (got < 0) return not_read(path, errno);
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
