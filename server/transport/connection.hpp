#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::transport {

/// One message as it came.
struct Incoming {
  std::string text;
  bool too_long = false;  ///< The message exceeded the limit; its text was dropped.
};

/// Whole messages in and out; all that a session knows about the wire.
/// Threads: read() is called by one thread; write() by several at once, and each message stays whole.
class Connection {
 public:
  virtual ~Connection() = default;
  /// The next message; waits for it. Nothing when the peer has closed, or when interrupted() turned true.
  virtual std::optional<Incoming> read() = 0;
  /// Sends a message. A peer that went away is no error: the message is dropped.
  virtual void write(std::string_view message) = 0;
  /// The process was asked to end: answers are of no use any more.
  virtual bool interrupted() const { return false; }
};

/// The largest message that is read.
inline constexpr std::size_t kMaxMessageBytes = 32u << 20;

}  // namespace spillway::transport
