#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace spillway {

/// What a program that ended has left behind.
struct Finished {
  int status = 0;   ///< Exit status; 128 and the signal's number when a signal ended it.
  std::string out;  ///< Standard output.
  std::string err;  ///< Standard error, its beginning.
};

/// Bounds of one run; a program that exceeds one of them is ended.
struct RunLimits {
  std::size_t bytes;                   ///< Of standard output.
  std::chrono::milliseconds patience;  ///< For the whole run.
};

/// Runs a program, found as the shell would, with exactly these words and without a shell: nothing in a word has a meaning of its own.
/// Its standard input is empty; `environment` (`NAME=VALUE`) is added to ours.
/// Errors: `program-not-found`, `program-failed` (it cannot be started, or exceeds a limit); each names the program.
/// Threads: may be called concurrently.
Result<Finished> run_program(const std::vector<std::string>& words, const std::vector<std::string>& environment, const RunLimits& limits);

}  // namespace spillway
