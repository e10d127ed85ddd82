// The first byte chooses a change, the rest is the text that gets it.
#include <cstdint>
#include <cstdlib>

#include "tools/config/edit.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway::config;
  static const Edit kEdits[] = {
      {Edit::Kind::kSet, "model.pipeline_model_parallel_size", 1},
      {Edit::Kind::kSet, "model.cpu_offloading", false},
      {Edit::Kind::kSet, "model.offload_modules", List{"core_attn"}},
      {Edit::Kind::kSet, "model.recompute_granularity", Null{}},
      {Edit::Kind::kSet, "optimizer.optimizer_offload_fraction", 0.5},
      {Edit::Kind::kSet, "env.CUDA_DEVICE_MAX_CONNECTIONS", "1"},
      {Edit::Kind::kRemove, "model.num_layers", {}},
      {Edit::Kind::kRemove, "optimizer.optimizer_cpu_offload", {}},
  };
  if (size == 0) return 0;
  const Edit& edit = kEdits[data[0] % std::size(kEdits)];
  ReadContext context;
  context.name = "text";
  context.max_nodes = 20'000;
  const auto after = edit_source({reinterpret_cast<const char*>(data) + 1, size - 1}, {edit}, context);
  if (!after) return 0;
  // What is given back must say what was asked for.
  const auto again = read_source(*after, context);
  if (!again) std::abort();
  const Setting* last = nullptr;
  for (const auto& setting : again->settings)
    if (setting.key == edit.key) last = &setting;
  const bool gone = last == nullptr;
  const bool right = edit.kind == Edit::Kind::kRemove ? gone : gone || last->value.repr() == edit.value.repr();
  if (!right) std::abort();
  return 0;
}
