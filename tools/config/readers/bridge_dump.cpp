#include "tools/config/edit_tree.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/top_level_keys.hpp"
#include "tools/config/tree_reading.hpp"
#include "tools/config/tree_writing.hpp"
#include "tools/config/yaml_tree.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kExample = R"(_target_: megatron.bridge.training.config.ConfigContainer
model:
  _target_: megatron.bridge.models.gpt_provider.GPTModelProvider
  cpu_offloading: false
  params_dtype:
    _call_: false
    _target_: torch.bfloat16
optimizer:
  _target_: megatron.bridge.training.config.OptimizerConfig
  optimizer_cpu_offload: true
  optimizer_offload_fraction: 0.5
)";

int recognise(std::string_view text) { return has_targets(text) && !top_level_keys(text).empty() ? 95 : 0; }

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto document = parse_yaml(text, context);
  if (!document) return document.error();
  TreeStyle style;
  style.form = "bridge-dump";
  style.launcher = Launcher::kBridge;
  style.targets = true;
  return read_tree(*document, context, style);
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  auto map = nested(settings);
  if (!map) return map.error();
  std::string text = yaml_block(*map, true);
  if (auto error = misread(read(text, context), winners(settings))) return *error;
  return text;
}

}  // namespace

Reader bridge_dump() {
  return {"bridge-dump", "Megatron-Bridge configuration dump (run_config.yaml)", kExample, recognise, read, write, edit_yaml};
}

}  // namespace spillway::config::readers
