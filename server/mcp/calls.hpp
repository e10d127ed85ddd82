#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "tools/config/value.hpp"

namespace spillway::mcp {

/// The requests that run beside the reading of messages, so that a slow one stops nothing else.
/// Threads: all functions are called by the session's thread; the work runs on others.
class Calls {
 public:
  /// What the work may do with its request.
  class Ticket {
   public:
    virtual ~Ticket() = default;
    virtual std::stop_token stop() const = 0;
    /// Sends something while the request is open; drops it once the request was cancelled or answered.
    virtual void send(const std::string& message) = 0;
    /// Sends the answer and closes the request.
    virtual void finish(const std::string& message) = 0;
  };
  using Work = std::function<void(Ticket&)>;
  using Send = std::function<void(const std::string&)>;
  enum class Start { kStarted, kFull, kIdInUse };

  /// Shape: `send` is called from the working threads.
  Calls(std::size_t workers, std::size_t max_in_flight, Send send);
  /// Waits for running work, unless wait() has given up on it: then it is left behind, and the process must end without unwinding.
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  Start start(const config::Value& id, Work work);
  /// From here on nothing is sent for that request. Unknown ids are ignored.
  void cancel(const config::Value& id);
  void cancel_all();
  /// True when everything is done before the time is over, or before `give_up` answers true.
  bool wait(std::chrono::milliseconds patience, const std::function<bool()>& give_up = {});

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace spillway::mcp
