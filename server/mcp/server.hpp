#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tools/catalog.hpp"

namespace spillway::mcp {

/// What is the same for all sessions.
/// Threads: constant after construction, apart from the cached list.
struct Options {
  std::string name = "spillway";
  std::string title = "Spillway";
  std::string version;
  std::string instructions;
  bool logging = false;                  ///< Advertise and accept logging/setLevel.
  std::size_t workers = 4;               ///< Tool calls that run at the same time, per session.
  std::size_t max_in_flight = 256;       ///< Calls that run or wait; more are refused.
  std::chrono::seconds call_budget{50};  ///< Deadline of one tool call.
  bool may_read_files = true;
  std::function<void(std::string_view)> log = {};  ///< Takes a line for whoever runs the server.
};

class Server {
 public:
  Server(Options options, std::vector<AnyTool> tools) : options_(std::move(options)), tools_(std::move(tools)) {}

  const Options& options() const { return options_; }
  const std::vector<AnyTool>& tools() const { return tools_; }
  /// The entries of tools/list. Cost: built on the first call.
  const config::List& tool_list() const;
  void log(std::string_view line) const {
    if (options_.log) options_.log(line);
  }

 private:
  const Options options_;
  const std::vector<AnyTool> tools_;
  mutable std::once_flag listed_;
  mutable config::List list_;
};

}  // namespace spillway::mcp
