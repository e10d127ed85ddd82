#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/config/arguments.hpp"
#include "tools/config/front_ends.hpp"

namespace spillway::config {

/// A command that starts a training run.
struct Launch {
  enum class Kind {
    kMegatronLm,   ///< Arguments as read_arguments reads them.
    kRecipe,       ///< Megatron-Bridge's run_recipe: options, then overrides.
    kSubmission,   ///< Megatron-Bridge's launcher around run_recipe, which has options of its own.
    kPerformance,  ///< Megatron-Bridge's performance scripts.
    kOverrides,    ///< Any other script that takes override words.
    kFrontEnd,     ///< A command of a front end: Megatron-LM's options, spelled with underscores and a word for every value.
  };
  Kind kind = Kind::kMegatronLm;
  bool certain = true;  ///< A script that is known by name; otherwise the arguments look like it.
  Token entry;          ///< The script or module.
  std::string script;   ///< kMegatronLm: `gpt`, `bert`, …; empty for a script that is not known by name.
  std::vector<Token> arguments;
  const FrontEnd* front_end = nullptr;  ///< kFrontEnd: whose command it is.
  bool torchrun = false;                ///< Started by torchrun or its module form.
  std::optional<Token> nnodes, nproc_per_node, world_size;
  std::vector<std::pair<std::string, Token>> environment;  ///< Given on the command line: `env A=1`, `srun --export=A=1`, `mpirun -x A=1`.
};

/// The training run that a command starts, if it does: behind any number of wrappers (srun, mpirun, torchrun, `python -m …`).
std::optional<Launch> find_launch(const std::vector<Token>& words, const ReadContext& context);

/// Takes the values of `--option VALUE` and `--option=VALUE` out of words; `-` and `_` are the same, the last one wins.
std::optional<Token> option_value(const std::vector<Token>& words, const std::vector<std::string_view>& options);

/// The file name of a Megatron-LM entry script: `pretrain_gpt.py` for `gpt`.
std::string_view entry_file(std::string_view script);

}  // namespace spillway::config
