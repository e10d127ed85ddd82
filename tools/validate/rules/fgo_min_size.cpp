#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

constexpr std::string_view kKey = "model.min_offloaded_tensor_size";
/// Below this a copy costs more than the memory it frees is worth; upstream's default is 1048576.
constexpr double kSmall = 1024;

}  // namespace

Rule fgo_min_size() {
  return {
      .code = "FGO-MIN-SIZE",
      .summary = "the smallest tensor to offload is negative, or so small that everything is copied",
      .since = Core::k0_16,
      .raises = {{.place = Place::kTransformerConfig,
                  .sequence = 2176,
                  .type = "AssertionError",
                  .text = "min_offloaded_tensor_size must be non-negative.",
                  .since = Core::k0_19}},
      .what =
          "fine_grained_activation_offloading is on and min_offloaded_tensor_size is below 0, or below 1024. The unit is elements, not "
          "bytes: the default 1048576 is 2 MiB of bf16.",
      .why =
          "A negative size is refused when the model configuration is built (since 0.19; before, it is accepted and means no limit). A "
          "tiny one sends even tensors of a few KiB over the link, each with its own pinned buffer and event.",
      .remedy = "Leave the default, or raise it to keep small tensors on the GPU.",
      .evidence = {"megatron/core/transformer/transformer_config.py", "assert self.min_offloaded_tensor_size >= 0"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            const auto size = facts.number(kKey);
            const auto& value = facts.value(kKey);
            if (!size && facts.core() >= Core::k0_19) {
              report.add("min_offloaded_tensor_size must be a number of elements, not " + value.repr())
                  .keys({kKey})
                  .natural("TypeError", not_comparable(">=", value))
                  .fix(Fix::Safety::kDisplayOnly, "use the default of 1048576 elements", {set(kKey, 1048576)});
              return;
            }
            if (!size || *size >= kSmall) return;
            const bool refused = *size < 0 && facts.core() >= Core::k0_19;
            auto finding = report.add(
                "min_offloaded_tensor_size is " + value.str() +
                (refused ? "; it counts elements and cannot be negative" : " elements: even the smallest tensors are copied to the host"));
            finding.keys({kKey, "model.fine_grained_activation_offloading"})
                .fix(refused ? Fix::Safety::kDisplayOnly : Fix::Safety::kUnsafe, "use the default of 1048576 elements",
                     {set(kKey, 1048576)});
            if (!refused) finding.severity(Severity::kWarning).stage(Stage::kForward);
          },
  };
}

}  // namespace spillway::validate::rules
