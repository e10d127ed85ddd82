#include "tools/config/edit_tree.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/top_level_keys.hpp"
#include "tools/config/tree_reading.hpp"
#include "tools/config/tree_writing.hpp"
#include "tools/config/yaml_tree.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kExample = R"(model:
  cpu_offloading: true
  cpu_offloading_num_layers: 12
  recompute_granularity: null
optimizer:
  optimizer_cpu_offload: true
  optimizer_offload_fraction: 0.75
env_vars:
  NVTE_CPU_OFFLOAD_V1: 1
)";

/// Few keys in the first column that are no section say little: many texts have lines that end in a colon.
int recognise(std::string_view text) {
  const auto keys = top_level_keys(text);
  if (count_sections(keys) > 0) return 60;
  const auto start = beginning(text).find_first_not_of(" \t\r\n");
  const bool flow = start != std::string_view::npos && text.substr(start).starts_with("{");
  return keys.empty() ? (flow ? 30 : 0) : 20;
}

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto document = parse_yaml(text, context);
  if (!document) return document.error();
  TreeStyle style;
  style.form = "bridge-yaml";
  style.launcher = Launcher::kBridge;
  style.front_ends = true;
  return read_tree(*document, context, style);
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  auto map = nested(settings);
  if (!map) return map.error();
  std::string text = yaml_block(*map, false);
  if (auto error = misread(read(text, context), winners(settings))) return *error;
  return text;
}

}  // namespace

Reader bridge_yaml() { return {"bridge-yaml", "Megatron-Bridge override YAML", kExample, recognise, read, write, edit_yaml}; }

}  // namespace spillway::config::readers
