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
  enum class Action { kStore, kStoreTrue, kStoreFalse, kStoreConst, kAppend, kOther };
  enum class Type { kString, kInt, kFloat, kBool, kOther };
  std::string_view flag;  ///< `--cpu-offloading-num-layers`
  std::string_view dest;  ///< `cpu_offloading_num_layers`
  std::string_view key;   ///< Canonical key: `model.…`, `optimizer.…`, `ddp.…`, … or `args.DEST`.
  Action action = Action::kStore;
  Type type = Type::kString;
  std::string_view nargs;  ///< Empty (one value), `+`, `*`, `?`, or a number; `0` for switches.
  std::vector<std::string_view> choices;
  Value fallback;  ///< Default of the option; null when none.
  Value constant;  ///< What a switch stores; true for store_true, false for store_false.
};

/// The option a token spells (exactly; upstream does not abbreviate), among those of the version and entry script.
std::optional<Flag> find_flag(std::string_view spelling, Core core, std::string_view script);
/// The option that writes a canonical key, or nothing.
std::optional<Flag> find_flag_of_key(std::string_view key, Core core, std::string_view script);
std::vector<std::string_view> flag_names(Core core, std::string_view script);

/// One dataclass field of Megatron-Core, as it is in one version.
struct Field {
  std::string_view key;   ///< `model.cpu_offloading` (ModelParallelConfig, TransformerConfig and its heirs), `optimizer.…`, `ddp.…`
  std::string_view type;  ///< As declared, e.g. `Optional[List[str]]`.
  Value fallback;         ///< Default; null when it is None or when there is none.
  bool required = false;  ///< No default.
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
  bool overridable = true;  ///< KEY=VALUE can set it.
  bool section = false;     ///< Has keys below it.
};

/// `model.transformer.x` (builder style) and `model.x` (provider style) name the same canonical key.
std::optional<Key> find_key(std::string_view path);
std::vector<std::string_view> key_paths();

/// What a Bridge recipe function returns, before overrides and validation.
struct Recipe {
  std::string_view name;
  std::string_view kind;  ///< `library` or `perf`.
  int gpus = 0;           ///< The size the recipe is made for; 0 where not stated.
  std::string_view model_class;
  bool builder_style = false;  ///< Model values live under `model.transformer`; validated once.
  std::string_view hf_id;
  std::vector<Setting> settings;  ///< Every value the recipe sets or inherits from its classes' defaults, canonical keys; env_vars as `env_vars.NAME`.
};

/// Understands full names, the aliases upstream exports, and names without the `_config` ending.
std::optional<Recipe> find_recipe(std::string_view name);
std::vector<std::string_view> recipe_names();
/// Commit and date of the sources: for assumptions.
std::string_view bridge_commit();
std::string_view bridge_date();

}  // namespace spillway::config::tables
