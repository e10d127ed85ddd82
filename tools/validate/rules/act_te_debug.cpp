#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The section is null by default; a source may give it as a whole or key by key.
bool inspects_tensors(const Facts& facts) {
  if (facts.given("tensor_inspect.enabled")) return facts.on("tensor_inspect.enabled");
  const config::Value* enabled = facts.value("tensor_inspect").find("enabled");
  return enabled != nullptr && enabled->truthy();
}

}  // namespace

Rule act_te_debug() {
  return {
      .code = "ACT-TE-DEBUG",
      .summary = "layer-level offload does not run in Transformer Engine's debug mode",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBuildModel, 840, "RuntimeError", "CPU offload is not supported in debug mode."}},
      .what = "cpu_offloading is on and tensor_inspect.enabled switches Transformer Engine's debug features (nvdlfw-inspect) on.",
      .why = "Transformer Engine refuses to make the offload context in debug mode; the run stops when the model is built.",
      .remedy = "Inspect tensors in a run without layer-level offload.",
      .evidence = {"transformer_engine/pytorch/cpu_offload.py", "if TEDebugState.debug_enabled: raise RuntimeError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading") || !inspects_tensors(facts)) return;
            report.add("tensor_inspect switches Transformer Engine's debug mode on, which refuses cpu_offloading")
                .keys({"tensor_inspect.enabled", "tensor_inspect", "model.cpu_offloading"})
                .fix(Fix::Safety::kDisplayOnly, "switch tensor inspection off", {set("tensor_inspect.enabled", false)})
                .fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
