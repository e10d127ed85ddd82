#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Sub-options and what stands for "not asked for".
struct Option {
  std::string_view key;
  double otherwise;
};
constexpr Option kOptions[] = {
    {"model.min_offloaded_tensor_size", 1048576},
    {"model.activation_offload_fraction", 1},
    {"model.delta_offload_bytes_across_pp_ranks", 0},
    {"model.delay_offload_until_cuda_graph", 0},
};

/// Recipes leave such values behind on purpose; only what a source of the user's says counts.
bool written(const Facts& facts, std::string_view key) {
  const config::Setting* setting = facts.setting(key);
  return setting != nullptr && setting->origin.source >= 0;
}

std::vector<std::string_view> orphans(const Facts& facts) {
  std::vector<std::string_view> keys;
  if (written(facts, "model.offload_modules") && facts.on("model.offload_modules")) keys.push_back("model.offload_modules");
  for (const auto& option : kOptions)
    if (written(facts, option.key) && facts.number(option.key).value_or(option.otherwise) != option.otherwise) keys.push_back(option.key);
  return keys;
}

}  // namespace

Rule fgo_orphan() {
  return {
      .code = "FGO-ORPHAN",
      .summary = "options of fine-grained offload without its switch have no effect",
      .severity = Severity::kWarning,
      .since = Core::k0_16,
      .what = "fine_grained_activation_offloading is off, but offload_modules names something or a sub-option differs from its default.",
      .why = "Nothing is offloaded, and the values are not even range-checked.",
      .remedy = "Switch fine_grained_activation_offloading on, or remove the options.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.fine_grained_activation_offloading: all checks of its options"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto keys = orphans(facts);
            if (keys.empty() || facts.on("model.fine_grained_activation_offloading")) return;
            std::string names;
            for (const auto key : keys) names += (names.empty() ? "" : ", ") + std::string(key.substr(std::string_view("model.").size()));
            report.add("fine_grained_activation_offloading is off, so " + names + " has no effect")
                .keys({keys.front(), "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload on", {set("model.fine_grained_activation_offloading", true)});
          },
  };
}

}  // namespace spillway::validate::rules
