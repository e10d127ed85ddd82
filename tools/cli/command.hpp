#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace spillway::cli {

/// What a command leaves behind: the program prints both texts and exits with the status.
struct Outcome {
  int status = 0;
  std::string out = {};
  std::string err = {};
  std::vector<Error> errors = {};  ///< Why there is no answer. Of a command only: cli::run() has made texts of them.
};

/// Exit statuses.
inline constexpr int kGood = 0;      ///< Verdict ok or warning.
inline constexpr int kBadNews = 1;   ///< Errors found, does not fit, smoke failed.
inline constexpr int kNotAsked = 2;  ///< The question could not be asked.
inline constexpr int kUnknown = 3;   ///< Verdict unknown.

struct ExitStatus {
  int status;
  std::string_view meaning;
};
/// All of them, for people.
inline constexpr ExitStatus kExitStatuses[] = {{kGood, "verdict ok or warning"},
                                               {kBadNews, "bad news: errors found"},
                                               {kNotAsked, "the question could not be asked"},
                                               {kUnknown, "unknown: a value is missing that decides"}};

/// A command that is no tool: a server, an installer.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< One line, no full stop.
  std::string_view usage;    ///< What follows the name.
  std::function<Outcome(const std::vector<std::string>& args)> run;
};

/// What the command line needs to know about where it is run.
struct Surroundings {
  bool colour_out = false;
  bool colour_err = false;
  std::function<void(std::string_view)> progress = {};  ///< Shows a line at once; empty where nobody looks.
  std::string directory = {};                           ///< Where relative paths start; empty: where the process runs.
};

}  // namespace spillway::cli
