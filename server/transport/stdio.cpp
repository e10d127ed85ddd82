#include "server/transport/stdio.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace spillway::transport {

bool Stdio::wait(int descriptor, short events) {
  for (;;) {
    pollfd polled[2] = {{descriptor, events, 0}, {wake_, POLLIN, 0}};
    const int ready = ::poll(polled, wake_ < 0 ? 1 : 2, -1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready > 0 && wake_ >= 0 && polled[1].revents != 0) return woken_ = true, false;
    if (ready > 0 && polled[0].revents != 0) return true;
  }
}

bool Stdio::interrupted() const {
  if (wake_ < 0) return false;
  pollfd polled = {wake_, POLLIN, 0};
  return ::poll(&polled, 1, 0) > 0;
}

/// Reads once; false at the end of the stream.
bool Stdio::fill() {
  char bytes[1 << 16];
  for (;;) {
    if (!wait(in_, POLLIN)) return false;
    const ssize_t got = ::read(in_, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    lines_.append({bytes, static_cast<std::size_t>(got)});
    return true;
  }
}

std::optional<Incoming> Stdio::read() {
  while (!woken_ && failure_ == 0) {
    if (auto line = lines_.next()) return line;
    if (ended_) return std::nullopt;
    ended_ = !fill();
    if (ended_ && !woken_) return lines_.rest();
  }
  return std::nullopt;
}

void Stdio::write(std::string_view message) {
  const std::lock_guard lock(writing_);
  std::string line(message);
  line += '\n';
  std::string_view left = line;
  while (!left.empty() && !gone_) {
    // A pipe that polls as writable takes PIPE_BUF bytes without blocking, so that a peer that does not read cannot keep the process from
    // ending.
    if (!wait(out_, POLLOUT)) {
      gone_ = true;
      return;
    }
    const ssize_t written = ::write(out_, left.data(), std::min<std::size_t>(left.size(), PIPE_BUF));
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) {
      failure_ = errno == EPIPE ? 0 : errno;
      gone_ = true;
    }
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace spillway::transport
