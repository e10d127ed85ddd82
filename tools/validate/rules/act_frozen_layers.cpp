#include <algorithm>

#include "tools/validate/edits.hpp"
#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The layer a target such as `*.layers.3.*.linear_qkv` names, or -1 when it stands for all layers.
int layer_of(std::string_view target) {
  const auto at = target.find("layers.");
  if (at == std::string_view::npos) return -1;
  const std::string_view rest = target.substr(at + 7);
  const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return digits == 0 || digits > 6 ? -1 : std::stoi(std::string(rest.substr(0, digits)));
}

/// Adapters are placed by layer, and none in the first.
bool late_adapters(const Facts& facts) {
  if (!facts.given("peft.target_modules")) return false;
  const auto targets = facts.strings("peft.target_modules");
  return !targets.empty() && std::all_of(targets.begin(), targets.end(), [](const std::string& target) { return layer_of(target) > 0; });
}

/// The switch that freezes a whole model part; empty when none is written.
std::string_view frozen_part(const Facts& facts) {
  for (const std::string_view key : {"model.freeze_language_model", "model.freeze_vision_model"})
    if (facts.given(key) && facts.on(key)) return key;
  return {};
}

}  // namespace

Rule act_frozen_layers() {
  return {
      .code = "ACT-FROZEN-LAYERS",
      .summary = "layer-level offload needs gradients through every layer",
      .raises = {{Place::kForward, 903, "ValueError",
                  "Tensor passed to synchronization_function must require grad to register backward hooks, but got requires_grad=False for "
                  "tensor with shape={}, dtype={}"},
                 {Place::kForward, 903, "AssertionError", ""}},
      .what =
          "cpu_offloading is on and some layer's output carries no gradient: adapters (PEFT) that start after the first layer over a "
          "frozen model, or a frozen language or vision model that takes over cpu_offloading.",
      .why =
          "After each layer Transformer Engine (2.10 or later) hooks the backward of the hidden states and stops in the first forward when "
          "they need no gradient; from 2.14 on it says so, before it is a bare AssertionError. The situations are derived from the code.",
      .remedy = "Place adapters in every layer, or switch cpu_offloading off for the frozen part.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py",
                   "if not tensor.requires_grad: raise ValueError (2.14); assert tensor.requires_grad is True (2.10)"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const bool adapters = late_adapters(facts);
            const std::string_view frozen = frozen_part(facts);
            if (!adapters && frozen.empty()) return;
            if (offload_path_is_v1(facts)) return;
            if (adapters) {
              auto found = report.add(
                  "no adapter of peft.target_modules sits in layer 0, so that its output has no gradient, which cpu_offloading needs");
              found.raise(facts.te() < Version{2, 14, 0} ? 1 : 0, {"…", "…"})
                  .keys({"peft.target_modules", "model.cpu_offloading"})
                  .fix(Fix::Safety::kDisplayOnly, "place adapters in every layer", {})
                  .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
              return;
            }
            report
                .add(std::string(frozen.substr(frozen.find('.') + 1)) +
                     " is on: where a frozen part takes over cpu_offloading, its layers' outputs have no gradient and the first forward "
                     "stops")
                .severity(Severity::kWarning)
                .keys({frozen, "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off for the frozen part", {});
          },
  };
}

}  // namespace spillway::validate::rules
