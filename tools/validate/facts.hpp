#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "base/version.hpp"
#include "tools/config/train_config.hpp"
#include "tools/config/version.hpp"

namespace spillway::validate {

class Scenario;

/// CUDA-graph settings after upstream's own alias resolution for the version.
struct Graphs {
  /// The implementation as asked for, before module names have a say (since 0.18 `full_iteration` among them decides).
  config::Value asked = "none";
  std::string impl = "none";         ///< none, local, transformer_engine, full_iteration (before 0.18 that one is a scope of local)
  std::vector<std::string> modules;  ///< attn, mlp, moe, moe_router, moe_preprocess, mamba; empty: whole layers
  bool whole_iteration = false;      ///< The graph spans the iteration, however that is spelt in the version.
  bool inference_block = false;      ///< The module name `full_iteration_inference` asks for an inference graph.
  bool any() const { return impl != "none"; }
  bool has(std::string_view module) const;
};

/// A torch dtype without its prefix: `float32`, `bfloat16`, `float16`, `uint8`; aliases (`bf16`, `fp32`, `half`) resolved.
std::string dtype_name(std::string_view text);

/// What a rule may know: effective values of one run, after upstream's own normalisation for its launcher and version.
/// Reading a value that no source states and no default covers is remembered; see Report.
/// Threads: one Facts per thread; the Scenario behind it is shared and immutable.
class Facts {
 public:
  explicit Facts(const Scenario& scenario, const Facts* reader = nullptr);
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  config::Launcher launcher() const;
  bool bridge() const { return launcher() == config::Launcher::kBridge; }
  bool megatron_lm() const { return launcher() == config::Launcher::kMegatronLm; }
  config::Core core() const;
  /// Transformer Engine's version: as given, or the assumed one.
  Version te() const;
  /// The launch is stated to have no Transformer Engine.
  bool te_absent() const;
  /// torch's version where given.
  std::optional<Version> torch() const;
  /// The number of processes of the whole run: as stated, else what the launch or WORLD_SIZE says; nothing when nobody does.
  std::optional<std::int64_t> world_size() const;
  /// The GPUs are of the Blackwell generation or later; nothing when their model is not stated.
  std::optional<bool> blackwell() const;
  /// Entry script of Megatron-LM: gpt, hybrid, bert, t5, …
  std::string_view script() const;

  /// The effective value of a canonical key (`model.cpu_offloading`); a null Value when it is null or not a known key.
  const config::Value& value(std::string_view key) const;
  /// Python truth of the effective value.
  bool on(std::string_view key) const { return value(key).truthy(); }
  bool off(std::string_view key) const { return !on(key); }
  bool is_null(std::string_view key) const { return value(key).is_null(); }
  /// The value as a number (bool counts as 0/1), or nothing when it is no number.
  std::optional<double> number(std::string_view key) const;
  /// As number(), with what to take when it is no number.
  std::int64_t integer(std::string_view key, std::int64_t otherwise = 0) const;
  /// The text of a string value; empty otherwise.
  std::string_view text(std::string_view key) const;
  bool is(std::string_view key, std::string_view text) const;
  /// The value as dtype_name() has it.
  std::string dtype(std::string_view key) const;
  /// The strings of a list; a plain string counts as its characters, as Python iterates it.
  std::vector<std::string> strings(std::string_view key) const;
  bool lists(std::string_view key, std::string_view member) const;

  /// The setting that gave the value: the user's or the recipe's; nullptr for a default or a derived value.
  const config::Setting* setting(std::string_view key) const;
  /// The user or the recipe wrote this key.
  bool given(std::string_view key) const { return setting(key) != nullptr; }
  /// The value as it was before normalisation (user, else recipe, else default).
  const config::Value& raw(std::string_view key) const;

  /// What the key is where nobody gives it, in this launcher and version; nothing for a key that no table knows.
  std::optional<config::Value> default_value(std::string_view key) const;

  /// Upstream's own normalisation replaces what was given.
  bool derived(std::string_view key) const;

  /// CUDA-graph settings after alias resolution. Counts as reading all the keys that they come from.
  const Graphs& graphs() const;
  /// `recompute_granularity` after the deprecated moe_layer_recompute has rewritten it to "selective".
  config::Value recompute_granularity() const;
  bool selective() const;
  /// `recompute_modules` after defaults and rewriting: `core_attn` when null, plus `moe` for moe_layer_recompute.
  std::vector<std::string> recompute_modules() const;
  /// Selective recompute covers the module.
  bool recomputes(std::string_view module) const;
  /// `offload_modules` as the set upstream makes of it; empty when null.
  std::set<std::string> offload_modules() const;
  bool offloads(std::string_view module) const;

  /// A process environment variable; nothing when it is not set. Unknown when no environment was stated at all.
  std::optional<std::string> env(std::string_view name) const;
  /// The variable as the launch exports it, before a configuration adds its own.
  std::optional<std::string> exported(std::string_view name) const;
  /// The environment is stated: env() is never unknown.
  bool env_stated() const;

  /// The run that wrote the checkpoint which this one resumes from; nullptr when it is not stated. What is unknown of it is unknown here.
  const Facts* saved() const { return saved_.get(); }
  /// Notes that the saved run would decide: without it the rule counts as unchecked, and no verdict turns.
  void need_saved() const { needs_saved_ = true; }
  bool needs_saved() const { return needs_saved_; }

  /// Bridge keeps the model's values under `model.transformer` (builder-backed models): finalized once, not twice.
  bool builder_style() const;
  /// The model class of the Bridge recipe or dump, dotted; empty when neither is given.
  std::string_view model_class() const;

  const std::vector<config::Remark>& remarks() const;
  /// Every setting the user gave, in the order given.
  const std::vector<config::Setting>& settings() const;
  /// The form (a reader's name) of the source a setting or remark stands in; empty when it stands in none.
  std::string_view form(const config::Origin& origin) const;
  /// The line of the text in which a setting or remark stands, its secrets masked; empty when that is not known.
  std::string_view line(const config::Origin& origin) const;
  /// Whether a path as written exists in the recipe's configuration: models of the builder style have the transformer's fields below
  /// `model.transformer`, the others directly below `model`, and env_vars holds what the recipe sets. True when no recipe is known.
  bool path_exists(std::string_view path) const;
  /// The recipe that gives the base values; empty when there is none, or none that is known.
  std::string_view recipe() const;

  /// Canonical keys read so far whose value nobody states.
  const std::vector<std::string>& unknown() const { return unknown_; }
  /// Forgets what was read: the next rule begins.
  void begin_rule() {
    unknown_.clear();
    needs_saved_ = false;
  }

 private:
  void note_unknown(std::string_view key) const;
  const config::Value& fallback(std::string_view key) const;

  const Scenario* scenario_;
  const Facts* reader_;  // whose saved run this is
  std::unique_ptr<const Facts> saved_;
  mutable bool needs_saved_ = false;
  mutable std::vector<std::string> unknown_;
  mutable TextMap<config::Value> defaults_;  // looked up once; references into it stay valid
};

}  // namespace spillway::validate
