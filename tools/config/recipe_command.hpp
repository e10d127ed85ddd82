#pragma once

#include "tools/config/launch.hpp"

namespace spillway::config {

/// What Megatron-Bridge's run_recipe and the launchers around it make of their words: the recipe, options that write configuration
/// keys (`-tp 2`, `--seq_length 4096`), then overrides, which win. Sizes given to a launcher become `launch.…` settings,
/// its `--env NAME=VALUE` becomes `env.NAME`. An option that run_recipe does not have is a kUnknownFlag; one of a launcher or of a
/// performance script that says nothing about the configuration is passed over.
Reading read_recipe_command(const Launch& launch, const ReadContext& context);

/// A front end's spelling of Megatron-LM's options: `--optimizer_cpu_offload true`. Its own options are passed over, with a note.
/// Shape: a launch of kFrontEnd. The first setting, `launch.front_end`, says whose it is.
Reading read_front_end_arguments(const Launch& launch, const ReadContext& context);

}  // namespace spillway::config
