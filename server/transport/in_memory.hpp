#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "server/transport/connection.hpp"

namespace spillway::transport {

/// A connection without a wire: what one end sends, the other receives. For tests and for embedding.
/// Threads: all functions may be called concurrently.
class InMemory final : public Connection {
 public:
  std::optional<Incoming> read() override;
  void write(std::string_view message) override;

  /// The client's end.
  void send(std::string message);
  /// The next message of the server, or nothing when none comes in time.
  std::optional<std::string> receive(std::chrono::milliseconds patience);
  /// The client sends no more.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> to_server_;
  std::deque<std::string> to_client_;
  bool closed_ = false;
};

}  // namespace spillway::transport
