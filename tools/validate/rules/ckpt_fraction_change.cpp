#include "tools/validate/checkpoints.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule ckpt_fraction_change() {
  return {
      .code = "CKPT-FRACTION-CHANGE",
      .summary = "the offload fraction may change between runs, but not from or to zero",
      .severity = Severity::kInfo,
      .stage = Stage::kLoad,
      .what = "optimizer_cpu_offload is on in both runs and optimizer_offload_fraction differs.",
      .why =
          "State is kept by parameter and moved to the device of the new partition after the load, so another fraction is fine. At 0 no "
          "parameter has torch's AdamW, whose state holds the step as a tensor, so that the states differ in their members. By reading the "
          "code.",
      .remedy = "Nothing to do unless one of the two is 0.",
      .evidence = {"megatron/core/optimizer/cpu_offloading/hybrid_optimizer.py", "_move_new_state_to_right_device after load_state_dict"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("optimizer.optimizer_cpu_offload") || facts.saved() == nullptr) return;
            const Facts* saved = loaded_run(facts);
            if (saved == nullptr || saved->off("optimizer.optimizer_cpu_offload")) return;
            const auto now = facts.number("optimizer.optimizer_offload_fraction"),
                       then = saved->number("optimizer.optimizer_offload_fraction");
            if (!now || !then || *now == *then) return;
            const bool zero = *now <= 0 || *then <= 0;
            auto draft = report.add("optimizer_offload_fraction was " + fraction_text(*saved) + " when the checkpoint was saved and is " +
                                    fraction_text(facts) +
                                    (zero ? ": nothing is offloaded at 0, and the states of the two do not have the same members"
                                          : ": each parameter's state is moved to where it now belongs"));
            draft.keys({"optimizer.optimizer_offload_fraction"});
            if (zero) draft.severity(Severity::kWarning);
          },
  };
}

}  // namespace spillway::validate::rules
