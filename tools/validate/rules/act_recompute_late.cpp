#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// What Megatron-Core itself refuses.
void refuse(const Facts& facts, Report& report) {
  if (facts.is("model.recompute_granularity", "full")) {
    report.add("moe_layer_recompute cannot be combined with full recompute, which covers the MoE layer already")
        .keys({"model.moe_layer_recompute", "model.recompute_granularity"})
        .fix(Fix::Safety::kSafe, "drop moe_layer_recompute", {switch_off(facts, "model.moe_layer_recompute")});
    return;
  }
  const auto* modules = facts.value("model.recompute_modules").string();
  if (modules == nullptr || modules->find("moe") != std::string::npos) return;
  report
      .add("recompute_modules is the text " + facts.value("model.recompute_modules").repr() +
           "; moe_layer_recompute appends to it, which takes a list")
      .keys({"model.recompute_modules", "model.moe_layer_recompute"})
      .natural("AttributeError", "'str' object has no attribute 'append'")
      .fix(Fix::Safety::kDisplayOnly, "drop moe_layer_recompute and write recompute_modules as a list",
           {switch_off(facts, "model.moe_layer_recompute")});
}

}  // namespace

Rule act_recompute_late() {
  return {
      .code = "ACT-RECOMPUTE-LATE",
      .summary = "the deprecated moe_layer_recompute switches recompute on after the offload check",
      .raises = {{Place::kTransformerConfig, 2020, "ValueError", "Do not set --moe-layer-recompute with full recompute granularity. "},
                 {Place::kBridgeRefinalize,
                  1897,
                  "ValueError",
                  "CPU offloading does not work when activation recomputation is enabled",
                  {Launcher::kBridge}}},
      .what =
          "moe_layer_recompute is on. It becomes recompute_granularity=selective with `moe` among recompute_modules, but only after "
          "Megatron-Core has checked cpu_offloading against recompute. It is refused together with full recompute, and with "
          "recompute_modules written as one string.",
      .why =
          "With cpu_offloading the forbidden combination is accepted in silence; Megatron-Bridge finalizes provider-style models a second "
          "time when it builds them and stops there, after the job has started.",
      .remedy =
          "Drop moe_layer_recompute. To recompute the MoE layer, without layer-level offload, write recompute_granularity=selective and "
          "add `moe` to recompute_modules (the deprecation warning names `moe_layer`, which is not accepted).",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.moe_layer_recompute: … self.recompute_granularity = \"selective\"; if \"moe\" not in self.recompute_modules: "
                   "self.recompute_modules.append(\"moe\")"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.moe_layer_recompute")) return;
            refuse(facts, report);
            if (!facts.is_null("model.recompute_granularity") || facts.off("model.cpu_offloading")) return;
            const bool twice = facts.bridge() && !facts.builder_style();
            auto found = report.add(
                std::string("moe_layer_recompute switches recompute on behind cpu_offloading's back; the two exclude each other") +
                (twice ? ", which shows when the model is built" : ", and nothing refuses them here"));
            if (twice)
              found.raise(1);
            else
              found.severity(Severity::kWarning);
            found.keys({"model.moe_layer_recompute", "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "drop moe_layer_recompute", {switch_off(facts, "model.moe_layer_recompute")})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
