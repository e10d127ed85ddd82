#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/config/reader.hpp"
#include "tools/fields.hpp"
#include "tools/tool.hpp"
#include "tools/validate/validate.hpp"

namespace spillway {

/// What every tool that looks at a configuration is asked with: where the configuration stands, and what is known about the run.
struct ConfigInput {
  std::vector<std::string> sources;
  std::string config_text;
  std::string recipe;
  std::vector<std::string> overrides;
  std::string args;
  std::string launcher;
  std::string script;
  std::string mcore;
  std::string te;
  std::optional<std::int64_t> world_size;
  std::string gpu;
  std::string gpu_memory;
  std::optional<std::int64_t> ranks_per_node;
  std::string host_memory;
  Pairs env;
  std::string site;
  std::string resume_from;
};

void fields(Fields& f, ConfigInput& input);

/// Reads what the input names and stacks it: the recipe is the base, then the sources in their order, then `args`, then `overrides`;
/// the later one wins. A source that is a folder means the `run_config.yaml` inside it. `resume_from` is read apart, as another run.
/// Errors: of every source at once: those of read_file and read_source, `unknown-recipe` with the nearest names, `no-config-in-folder`
/// with what is there, `nothing-to-read` when no configuration was given at all, `files-not-allowed` where the caller may not name files.
Result<validate::Question> read_input(const ConfigInput& input, const ToolContext& context);

/// How the sources of a question are read: what it states about launcher, version and script.
config::ReadContext read_context(const validate::Question& question, std::string name);

}  // namespace spillway
