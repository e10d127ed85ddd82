#include "tools/validate/edits.hpp"
#include "tools/validate/offload_path.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// Empty when double buffering works.
std::string why_ignored(const Facts& facts) {
  if (facts.off("model.cpu_offloading")) return "cpu_offloading is off";
  const std::string te = "Transformer Engine " + facts.te().str();
  if (facts.te() < Version{2, 5, 0}) return te + " does not know it";
  const OffloadPath path = offload_path(facts);
  return path == OffloadPath::kV1 ? "" : te + " ignores it" + std::string(unless_v1(path));
}

}  // namespace

Rule act_double_buffer_noop() {
  return {
      .code = "ACT-DOUBLE-BUFFER-NOOP",
      .summary = "double buffering of offloaded activations has no effect here",
      .severity = Severity::kWarning,
      .stage = Stage::kBuild,
      .what =
          "cpu_offloading_double_buffering is on, but cpu_offloading is off, or Transformer Engine does not use it: before 2.5 it is not "
          "handed over, from 2.10 on it is accepted and ignored unless NVTE_CPU_OFFLOAD_V1=1 brings the older path back.",
      .why = "The schedule is not the one asked for; figures measured with this switch say nothing about it.",
      .remedy = "Remove cpu_offloading_double_buffering.",
      .evidence = {"megatron/core/extensions/transformer_engine.py",
                   "if is_te_min_version(\"2.10.0\"): … elif is_te_min_version(\"2.5.0\"): … double_buffering"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading_double_buffering")) return;
            const std::string reason = why_ignored(facts);
            if (reason.empty()) return;
            report.add("cpu_offloading_double_buffering has no effect: " + reason)
                .keys({"model.cpu_offloading_double_buffering", "model.cpu_offloading"})
                .fix(Fix::Safety::kSafe, "remove double buffering", {switch_off(facts, "model.cpu_offloading_double_buffering")});
          },
  };
}

}  // namespace spillway::validate::rules
