#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_layers_without_switch() {
  return {
      .code = "ACT-LAYERS-WITHOUT-SWITCH",
      .summary = "a number of offloaded layers is given, but layer-level offload is off",
      .severity = Severity::kWarning,
      .what =
          "cpu_offloading_num_layers is above 0 while cpu_offloading is off. Only Megatron-LM's command line (from Megatron-Core 0.16 on) "
          "derives the switch from the number; Megatron-Bridge, --yaml-cfg and plain Megatron-Core do not.",
      .why = "The run starts, offloads nothing and may run out of memory although offloading was asked for.",
      .remedy = "Set cpu_offloading to true, or remove the number.",
      .evidence = {"megatron/training/arguments.py", "if args.cpu_offloading_num_layers > 0: args.cpu_offloading = True"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto layers = facts.number("model.cpu_offloading_num_layers");
            if (!layers || *layers <= 0 || facts.on("model.cpu_offloading")) return;
            auto found = report.add("cpu_offloading_num_layers is " + facts.value("model.cpu_offloading_num_layers").str() +
                                    " but has no effect: cpu_offloading is off");
            found.keys({"model.cpu_offloading_num_layers", "model.cpu_offloading"});
            if (!facts.megatron_lm())
              found.fix(Fix::Safety::kDisplayOnly, "switch layer-level offload on", {set("model.cpu_offloading", true)});
            found.fix(Fix::Safety::kDisplayOnly, "take the number back",
                      {facts.megatron_lm() ? remove("model.cpu_offloading_num_layers") : set("model.cpu_offloading_num_layers", 0)});
          },
  };
}

}  // namespace spillway::validate::rules
