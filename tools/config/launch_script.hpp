#pragma once

#include <string_view>

#include "tools/config/reader.hpp"

namespace spillway::config {

/// What a launch script gives to the training run that it starts: its arguments, the environment that reaches it (`env.NAME`), and the
/// size it asks for (`launch.script`, `launch.nnodes`, `launch.nproc_per_node`, `launch.world_size`). Of several training runs
/// the first one is read. Settings come in that order: environment by name, size, arguments.
/// Errors: `bad-syntax`; `no-command` when the script starts no training; `file-too-large` above 2 MiB.
Result<Reading> read_launch_script(std::string_view text, const ReadContext& context);

/// A bash script that starts a run with these settings by torchrun.
/// Errors: `not-expressible`.
Result<std::string> write_launch_script(const std::vector<Setting>& settings, const ReadContext& context);

}  // namespace spillway::config
