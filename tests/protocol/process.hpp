#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace spillway::protocol {

/// The real program with pipes on its standard streams.
class Process {
 public:
  explicit Process(const std::vector<std::string>& args);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(const std::string& bytes);
  void close_input();
  /// The next line of its output, or nothing when none comes in time.
  std::optional<std::string> line(std::chrono::milliseconds patience);
  /// Everything it still says, until it closes its output.
  std::string rest();
  void signal(int number);
  /// Its exit status, or nothing when it does not end in time; 128 + the number for one that a signal killed.
  std::optional<int> wait(std::chrono::milliseconds patience);

 private:
  int pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string buffer_;
};

}  // namespace spillway::protocol
