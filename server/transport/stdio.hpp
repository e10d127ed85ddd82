#pragma once

#include <atomic>
#include <mutex>

#include "server/transport/connection.hpp"
#include "server/transport/line_buffer.hpp"

namespace spillway::transport {

/// One JSON message a line over two file descriptors.
/// Lifetime: the descriptors stay the caller's.
class Stdio final : public Connection {
 public:
  /// Shape: when `wake` becomes readable the connection is interrupted; -1: it never is.
  Stdio(int in, int out, int wake = -1, std::size_t limit = kMaxMessageBytes) : in_(in), out_(out), wake_(wake), lines_(limit) {}

  std::optional<Incoming> read() override;
  void write(std::string_view message) override;
  bool interrupted() const override;
  /// Why a message could not be written, as errno; 0 when all were, or when the peer went away.
  int failure() const { return failure_; }

 private:
  /// Waits until `descriptor` is ready; false when interrupted.
  bool wait(int descriptor, short events);
  bool fill();

  const int in_, out_, wake_;
  LineBuffer lines_;
  bool ended_ = false;
  std::mutex writing_;
  std::atomic<bool> gone_ = false;   ///< The peer reads no more.
  std::atomic<int> failure_ = 0;     ///< Nothing can be written any more; reading ends too.
  std::atomic<bool> woken_ = false;  ///< An interruption was seen.
};

}  // namespace spillway::transport
