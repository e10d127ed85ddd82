#include "tools/config/key_paths.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

/// Paths that begin with `spelled` name keys of `section`. Where the section holds other things besides Megatron's fields,
/// only existing fields are taken over.
struct Prefix {
  std::string_view spelled;
  std::string_view section;
  bool fields_only = false;
};

/// More particular prefixes stand before those they begin with.
constexpr Prefix kPrefixes[] = {
    {"model.transformer.", "model."},
    {"model.config.", "model."},
    {"model.optim.", "optimizer.", true},
    {"optim.config.", "optimizer."},
    {"trainer.strategy.ddp.", "ddp.", true},
    {"trainer.strategy.", "model.", true},
    {"policy.megatron_cfg.optimizer.", "optimizer."},
    {"policy.megatron_cfg.scheduler.", "scheduler."},
    {"policy.megatron_cfg.distributed_data_parallel_config.", "ddp."},
    {"policy.megatron_cfg.env_vars.", "env_vars."},
    {"policy.megatron_cfg.fp8_cfg.", "model.", true},
    {"policy.megatron_cfg.", "model.", true},
    {"actor_rollout_ref.actor.optim.override_optimizer_config.", "optimizer."},
    {"actor_rollout_ref.actor.megatron.override_transformer_config.", "model."},
    {"actor_rollout_ref.actor.megatron.override_ddp_config.", "ddp."},
    {"actor_rollout_ref.actor.megatron.", "model.", true},
    {"trainer.policy.megatron_config.optimizer_config_kwargs.", "optimizer."},
    {"trainer.policy.megatron_config.transformer_config_kwargs.", "model."},
    {"trainer.policy.megatron_config.ddp_config.", "ddp."},
    {"trainer.policy.megatron_config.", "model.", true},
};

constexpr std::string_view kForeignRoots[] = {"actor_rollout_ref.", "critic.", "exp_manager.", "generator.", "optim.", "policy.",
                                              "reward_model.",      "trainer."};

/// NeMo 1's names for activation recomputation.
constexpr std::string_view kRecompute = "model.activations_checkpoint_";

std::optional<std::string> one_step(std::string_view key) {
  if (key.starts_with(kRecompute)) {
    const auto rest = key.substr(kRecompute.size());
    if (rest == "granularity" || rest == "method" || rest == "num_layers") return "model.recompute_" + std::string(rest);
  }
  for (const auto& prefix : kPrefixes) {
    if (!key.starts_with(prefix.spelled) || key.size() == prefix.spelled.size()) continue;
    std::string mapped = std::string(prefix.section) + std::string(key.substr(prefix.spelled.size()));
    if (prefix.fields_only && !tables::find_field(mapped, kNewestCore)) return std::nullopt;
    return mapped;
  }
  return std::nullopt;
}

std::string_view without_optional(std::string_view type) {
  if (type.starts_with("Optional[") && type.ends_with("]")) type = type.substr(9, type.size() - 10);
  if (type.ends_with(" | None")) type.remove_suffix(7);
  return type;
}

bool is_list_type(std::string_view type) {
  for (const std::string_view name : {"list", "List", "Sequence", "tuple", "Tuple", "set", "Set"})
    if (type == name || (type.starts_with(name) && type.substr(name.size()).starts_with("[")))
      return type.find(" | ") == std::string_view::npos;
  return false;
}

KeyFacts facts_of(std::string_view declared, bool section) {
  const auto type = without_optional(declared);
  return {true, section, type == "bool", is_list_type(type)};
}

/// Members of a section whose members are free: environment variables, keyword dictionaries; and what a dump says of itself.
bool is_free(std::string_view key) {
  if (last_part(key).starts_with("_")) return true;
  const auto owner = parent_part(key);
  if (owner == "env_vars" || owner == "env" || key == "env_vars") return true;
  const auto found = owner.empty() ? std::nullopt : tables::find_key(owner);
  return found && !found->section && found->type.find("ict[") != std::string_view::npos;
}

}  // namespace

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string_view parent_part(std::string_view key) {
  const auto dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string canonical_key(std::string_view spelling) {
  std::string key(spelling);
  while (auto next = one_step(key)) key = std::move(*next);
  return key;
}

bool is_foreign_path(std::string_view spelling) {
  return std::any_of(std::begin(kForeignRoots), std::end(kForeignRoots), [&](std::string_view root) { return spelling.starts_with(root); });
}

KeyFacts key_facts(std::string_view key, Core core) {
  if (const auto found = tables::find_key(key)) return facts_of(found->type, found->section);
  if (const auto field = tables::find_field(key, core)) return facts_of(field->type, false);
  return {is_free(key), key == "env_vars" || key == "env", false, false};
}

std::vector<std::string> suggest_keys(std::string_view key) {
  const auto owner = parent_part(key);
  const auto name = last_part(key);
  std::vector<std::string_view> neighbours;
  std::vector<std::string> elsewhere;
  for (const auto path : tables::key_paths()) {
    if (parent_part(path) == owner) neighbours.push_back(last_part(path));
    if (last_part(path) == name && elsewhere.size() < 3) elsewhere.emplace_back(path);
  }
  std::vector<std::string> found;
  for (const auto& near : nearest(name, neighbours)) found.push_back(owner.empty() ? near : std::string(owner) + "." + near);
  return found.empty() ? elsewhere : found;
}

}  // namespace spillway::config
