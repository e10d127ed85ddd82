#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_modules_empty() {
  return {
      .code = "FGO-MODULES-EMPTY",
      .summary = "fine-grained activation offload needs at least one module to offload",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2131, "AssertionError", ""}},
      .what =
          "fine_grained_activation_offloading is on and offload_modules is null or empty, which is also its default. Several Bridge "
          "recipes set it to null, so the switch alone is not enough there.",
      .why =
          "Megatron-Core stops with an assertion that carries no text: a log shows only AssertionError below the source line that asks for "
          "a non-empty offload_modules.",
      .remedy =
          "Name what to offload, e.g. offload_modules=[core_attn, attn_proj] for attention or [moe_act] for experts, or switch "
          "fine_grained_activation_offloading off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.offload_modules is not None and len(self.offload_modules) > 0"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            const auto& modules = facts.value("model.offload_modules");
            if (modules.truthy() && (modules.string() != nullptr || modules.list() != nullptr || modules.map() != nullptr)) return;
            const bool has_length =
                modules.is_null() || modules.string() != nullptr || modules.list() != nullptr || modules.map() != nullptr;
            auto finding = report.add("fine_grained_activation_offloading is on but offload_modules is " + modules.repr() +
                                      ": nothing is named to offload");
            finding.keys({"model.offload_modules", "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "offload the attention core", {set("model.offload_modules", config::List{"core_attn"})})
                .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload off",
                     {switch_off(facts, "model.fine_grained_activation_offloading")});
            if (modules.is_null()) finding.stops();  // the next check makes a set of it
            if (!has_length) finding.natural("TypeError", "object of type '" + std::string(modules.type_name()) + "' has no len()");
          },
  };
}

}  // namespace spillway::validate::rules
