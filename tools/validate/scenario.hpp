#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "base/version.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/validate/facts.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {

/// One run with its base values and upstream's normalisation applied: what Facts reads.
/// Lifetime: refers to the Question it was resolved from.
class Scenario {
 public:
  explicit Scenario(const Question& question);
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;

  config::Launcher launcher = config::Launcher::kBridge;
  config::Core core = config::kNewestCore;
  Version te;
  std::optional<Version> torch;
  std::string script;
  std::optional<config::tables::Recipe> recipe;
  std::string recipe_asked;  ///< A recipe was named but is not in the table.
  /// The model's fields are below `model.transformer` (Bridge's builder-backed models).
  bool builder_style = false;
  /// Base values are known: a recipe, or a source that states the model.
  bool complete = false;
  /// Words of the launch command are unresolved: what no source gives may still be given.
  bool open_ended = false;
  bool env_stated = false;
  Graphs graphs;
  std::vector<std::string> assumptions;

  const Question& question() const { return question_; }
  /// The run that wrote the checkpoint which this one resumes from; nullptr when it is not stated.
  const Scenario* saved() const { return saved_.get(); }

  /// The winning setting (user over recipe), or nullptr.
  const config::Setting* given(std::string_view key) const;
  /// What normalisation made of a key, or nullptr when it left it alone.
  const config::Value* derived(std::string_view key) const;
  /// Default of the launcher and version; nothing when the key is not known to any table.
  std::optional<config::Value> fallback(std::string_view key) const;
  /// A process environment variable as the training process sees it.
  const std::string* env(std::string_view name) const;

  /// The line of a source in which something stands; empty when that is not known.
  std::string_view line(const config::Origin& origin) const;

  /// Nobody states the value, or what states it cannot be resolved.
  bool uncertain(std::string_view key) const;

  /// Used by normalisation only. The two of them with inputs make the result unknown where an input is.
  void derive(std::string_view key, config::Value value);
  void derive(std::string_view key, config::Value value, std::initializer_list<std::string_view> inputs) {
    derive_if(true, key, std::move(value), inputs);
  }
  void derive_if(bool condition, std::string_view key, config::Value value, std::initializer_list<std::string_view> inputs);
  /// The value normalisation starts from: derived, else given, else default, else null.
  config::Value current(std::string_view key) const;
  void set_env(std::string name, std::string value);

 private:
  const Question& question_;
  std::unique_ptr<const Scenario> saved_;
  TextMap<const config::Setting*> given_;
  TextMap<config::Value> derived_;
  TextMap<std::string> env_;
  std::vector<std::string> shown_;                 ///< The text of each source, its secrets masked.
  std::vector<std::vector<std::uint32_t>> lines_;  ///< Of each source, where its lines begin.
};

/// Transformer Engine's version when nobody states it. Source: every rule variant up to 2.14 is settled, later releases changed none of
/// them.
inline constexpr Version kAssumedTe{2, 14, 0};

/// Upstream's own changes before its checks, per launcher; each works on the values the launcher starts from.
void normalise_megatron_lm(Scenario& scenario);
void normalise_bridge(Scenario& scenario);
/// Megatron-Bridge's mixed_precision section has a field of this name, which it copies onto model, optimizer and ddp.
bool is_mixed_precision_field(std::string_view field);
/// ModelParallelConfig and TransformerConfig, whatever the launcher.
void normalise_core(Scenario& scenario);
/// CUDA-graph aliases as the version resolves them.
Graphs resolve_graphs(const Scenario& scenario);

}  // namespace spillway::validate
