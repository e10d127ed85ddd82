#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dopt_sync() {
  return {
      .code = "DOPT-SYNC",
      .summary = "Bridge switches on in both sections what only one of them asks for",
      .severity = Severity::kInfo,
      .stage = Stage::kBridge,
      .launchers = {Launcher::kBridge},
      .what =
          "use_distributed_optimizer or overlap_param_gather is written in one of the sections ddp and optimizer and is off in the other.",
      .why =
          "Megatron-Bridge takes the two as one setting and switches both on, with a warning. Switching one of them off alone therefore "
          "has no effect, and checks of the optimizer section before that moment still see it as written.",
      .remedy = "Set it in both sections.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "if self.ddp.use_distributed_optimizer or self.optimizer.use_distributed_optimizer: both = True"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const std::string field : {"use_distributed_optimizer", "overlap_param_gather"}) {
              const std::string ddp = "ddp." + field, optimizer = "optimizer." + field;
              const auto written = [&](const std::string& key) {
                const auto* setting = facts.setting(key);
                return setting != nullptr && setting->origin.source >= 0;
              };
              if (!written(ddp) && !written(optimizer)) continue;
              const bool in_ddp = facts.raw(ddp).truthy(), in_optimizer = facts.raw(optimizer).truthy();
              if (in_ddp == in_optimizer) continue;
              report
                  .add(field + " is on in the " + (in_ddp ? "ddp" : "optimizer") + " section only; Megatron-Bridge switches it on in both")
                  .keys({in_ddp ? ddp : optimizer, in_ddp ? optimizer : ddp})
                  .fix(Fix::Safety::kSafe, "write it in both", {set(in_ddp ? optimizer : ddp, true)});
            }
          },
  };
}

}  // namespace spillway::validate::rules
