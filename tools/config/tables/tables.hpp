#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/train_config.hpp"
#include "tools/config/value.hpp"
#include "tools/config/version.hpp"

/// Facts about upstream's options, fields, keys and recipes: generated tables (`generate.py` beside this file says from what),
/// embedded in the program and parsed on first use.
/// Threads: every function here may be called concurrently.
namespace spillway::config::tables {

/// One option of Megatron-LM's argument parser, as it is in one version.
struct Flag {
  /// A `--x` / `--no-x` pair is kStoreTrue under the first spelling and kStoreFalse under the second.
  enum class Action { kStore, kStoreTrue, kStoreFalse, kStoreConst, kAppend, kOther };
  enum class Type { kString, kInt, kFloat, kBool, kOther };
  std::string_view flag;  ///< `--cpu-offloading-num-layers`; the main spelling, except that `--no-x` of a pair stays.
  std::string_view dest;  ///< `cpu_offloading_num_layers`
  /// Canonical key: `model.…`, `optimizer.…`, `ddp.…`, `checkpoint.…`, … or `args.DEST` (canonical_keys.py decides). A switch
  /// that says no where its key says yes (`--no-load-optim`, `checkpoint.load_optim`) stores false.
  std::string_view key;
  Action action = Action::kStore;
  Type type = Type::kString;
  std::string_view nargs;  ///< Empty (one value), `+`, `*`, `?`, or a number; `0` for switches.
  std::vector<std::string_view> choices;
  Value fallback;  ///< Default of the option; null when none.
  Value constant;  ///< What a switch stores; true for store_true, false for store_false.
};

/// The option a token spells (exactly; upstream does not abbreviate), among those of the version and entry script. Scripts: `gpt`,
/// `hybrid` (also `mamba`), `t5`, `bert`, `vlm`, `mimo`, `rl`, `flex`, `inf`, `static`, `offline`; others have the common options only.
std::optional<Flag> find_flag(std::string_view spelling, Core core, std::string_view script);
/// The option that writes a canonical key, or nothing. Where a pair of switches does, the one that stores true.
std::optional<Flag> find_flag_of_key(std::string_view key, Core core, std::string_view script);
/// Every spelling, aliases included.
std::vector<std::string_view> flag_names(Core core, std::string_view script);

/// One dataclass field of Megatron-Core, as it is in one version.
struct Field {
  std::string_view key;    ///< `model.cpu_offloading` (ModelParallelConfig, TransformerConfig and its heirs), `optimizer.…`, `ddp.…`
  std::string_view type;   ///< As declared, e.g. `Optional[List[str]]`.
  std::string_view owner;  ///< The class that declares it: `TransformerConfig`, `MLATransformerConfig` (only there), …
  Value fallback;          ///< Default; null when it is None or when there is none. Numbers may be infinite.
  bool required = false;   ///< No default.
};

std::optional<Field> find_field(std::string_view key, Core core);
/// All fields of a section (`model`, `optimizer`, `ddp`), as canonical keys.
std::vector<std::string_view> field_keys(std::string_view section, Core core);

/// One key path of Megatron-Bridge's ConfigContainer (provider style).
struct Key {
  std::string_view path;
  std::string_view type;
  Value fallback;
  bool required = false;
  bool overridable = true;   ///< KEY=VALUE can set it.
  bool section = false;      ///< Has keys below it.
  bool transformer = false;  ///< Builder-style models have it below `model.transformer`.
  bool rare = false;         ///< Exists only where a recipe uses a certain class (a data set, a model), which no recipe known here does.
};

/// `model.transformer.x` (builder style) and `model.x` (provider style) name the same canonical key; the path of the answer is canonical.
std::optional<Key> find_key(std::string_view path);
std::vector<std::string_view> key_paths();

/// One option of Megatron-Bridge's run_recipe.py.
struct RecipeOption {
  std::string_view flag;
  std::vector<std::string_view> writes;  ///< Canonical keys it sets, the main one first; none for `--recipe`, `--mode` and the like.
  bool takes_value = true;
  Flag::Type type = Flag::Type::kString;
  std::vector<std::string_view> choices;
};

std::optional<RecipeOption> find_recipe_option(std::string_view spelling);
/// Every spelling, aliases (`-tp`) included.
std::vector<std::string_view> recipe_option_names();

/// What a Bridge recipe function returns, before overrides and validation.
struct Recipe {
  std::string_view name;
  std::string_view kind;  ///< `library` or `perf`.
  int gpus = 0;           ///< The size the recipe is made for; 0 where not stated.
  std::string_view model_class;
  bool builder_style = false;  ///< Model values live under `model.transformer`; validated once.
  std::string_view hf_id;
  bool assumed_shape = false;  ///< The model's numbers come from a hand-entered stand-in of its Hugging Face configuration.
  /// Every value that the recipe sets or inherits from its classes' defaults, under canonical keys, each once; env_vars as
  /// `env_vars.NAME`. Origins have the path as upstream has it (`model.transformer.cpu_offloading`) and no source.
  std::vector<Setting> settings;
};

/// Understands full names, the aliases upstream exports, and names without the `_config` ending. A mixed precision that the recipe
/// names is there twice: the name as `mixed_precision`, its values as `mixed_precision.…`.
std::optional<Recipe> find_recipe(std::string_view name);
std::vector<std::string_view> recipe_names();

/// What a name given as `mixed_precision` stands for, as `mixed_precision.…` (`-` counts as `_`).
std::optional<std::vector<Setting>> find_precision(std::string_view name);
std::vector<std::string_view> precision_names();
/// Commit and date of the sources: for assumptions.
std::string_view bridge_commit();
std::string_view bridge_date();

}  // namespace spillway::config::tables
