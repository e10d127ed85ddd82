#pragma once

#include <string>

#include "base/result.hpp"
#include "tools/tool.hpp"

namespace spillway {

/// A text and the name under which messages speak of it.
struct NamedText {
  std::string name;
  std::string text;
};

/// The text of a file that a caller names: relative to where the call stands, `-` for standard input, a folder for the
/// `run_config.yaml` inside it, or inside the `iter_…` folder below it that its `latest_checkpointed_iteration.txt` names, else the newest.
/// Errors: those of read_file (16 MiB at most), `no-config-in-folder` (names what is there), `files-not-allowed`.
Result<NamedText> read_named(const std::string& name, const ToolContext& context);

}  // namespace spillway
