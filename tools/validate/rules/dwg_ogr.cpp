#include "tools/validate/delayed_wgrad.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dwg_ogr() {
  return {
      .code = "DWG-OGR",
      .summary = "delayed weight gradients with overlapped gradient reduction need a newer Transformer Engine",
      .stage = Stage::kArgs,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_17,
      .raises = {{Place::kValidateArgs,
                  1907,
                  "AssertionError",
                  "overlap_grad_reduce is only supported with TE >= 2.8.0 when enabling delay_wgrad_compute",
                  {Launcher::kMegatronLm}},
                 // The missing blank is upstream's.
                 {Place::kBridge,
                  521,
                  "AssertionError",
                  "TE version >= 2.7.0 is required for overlap_grad_reduce when usingdelay_wgrad_compute. Current TE version: {}",
                  {Launcher::kBridge}}},
      .what =
          "delay_wgrad_compute and overlap_grad_reduce are on, and Transformer Engine is older than 2.8 (Megatron-LM) or 2.7 (Bridge, when "
          "comm_overlap "
          "delays).",
      .why = "Older versions do not tell the gradient buffers when a delayed gradient is ready; the launcher refuses the configuration.",
      .remedy = "Use a newer Transformer Engine, or drop one of the two.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.delay_wgrad_compute: if args.overlap_grad_reduce: assert is_te_min_version(\"2.8.0\")"},
      .check =
          [](const Facts& facts, Report& report) {
            const Version needed = facts.bridge() ? Version{2, 7, 0} : Version{2, 8, 0};
            if (facts.te() >= needed || !launcher_delays_wgrad(facts) || facts.off("ddp.overlap_grad_reduce")) return;
            const Version te = facts.te();
            report.add("delay_wgrad_compute with overlap_grad_reduce needs Transformer Engine " + needed.str() + ", this is " + te.str())
                .keys({kDelayedWgrad, kDelayedWgradOfBridge, "ddp.overlap_grad_reduce", "comm_overlap.overlap_grad_reduce"})
                .with({std::to_string(te.major) + "." + std::to_string(te.minor) + "." + std::to_string(te.patch)})
                .fix(Fix::Safety::kDisplayOnly, "do not delay weight gradients",
                     {switch_off(facts, facts.bridge() ? kDelayedWgradOfBridge : kDelayedWgrad)});
          },
  };
}

}  // namespace spillway::validate::rules
