#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "tools/config/edit_tree.hpp"
#include "tools/config/json_tree.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/targets.hpp"
#include "tools/config/top_level_keys.hpp"
#include "tools/config/tree_reading.hpp"
#include "tools/config/tree_writing.hpp"

namespace spillway::config::readers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kExample = R"({
  "model": {"num_layers": 16, "hidden_size": 2048, "cpu_offloading": true, "cpu_offloading_num_layers": 8},
  "optimizer": {"optimizer": "adam", "optimizer_cpu_offload": true, "optimizer_offload_fraction": 0.5}
}
)";

/// A brace alone may as well begin a shell block or flow-style YAML; JSON's first key is quoted.
int recognise(std::string_view text) {
  text = beginning(text);
  const auto brace = text.find_first_not_of(" \t\r\n");
  if (brace == std::string_view::npos || text[brace] != '{') return 0;
  const auto next = text.find_first_not_of(" \t\r\n", brace + 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}') ? 90 : 0;
}

bool holds_target(const Node& node) {
  if (is_target(node)) return true;
  return std::any_of(node.entries.begin(), node.entries.end(), [](const Entry& entry) { return holds_target(*entry.node); });
}

/// The arguments of Megatron-Core's own classes: a model and an optimizer, and nothing that only Megatron-Bridge has.
bool is_core(const Node& root) {
  constexpr std::string_view kParts[] = {"model", "optimizer", "ddp", "env"};
  const Node* model = root.find("model");
  if (model == nullptr || root.find("optimizer") == nullptr || model->find("transformer") != nullptr) return false;
  return std::all_of(root.entries.begin(), root.entries.end(),
                     [&](const Entry& entry) { return std::find(std::begin(kParts), std::end(kParts), entry.key) != std::end(kParts); });
}

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto document = parse_json(text, context);
  if (!document) return document.error();
  TreeStyle style;
  style.form = "json";
  style.launcher = Launcher::kBridge;
  if (document->root != nullptr) {
    style.targets = holds_target(*document->root);
    style.core_fields =
        context.launcher.value_or(Launcher::kMegatronCore) == Launcher::kMegatronCore && !style.targets && is_core(*document->root);
  }
  if (style.core_fields) style.launcher = Launcher::kMegatronCore;
  return read_tree(*document, context, style);
}

/// Nothing for what JSON has no word for: infinity and not-a-number.
std::optional<Json> json_of(const Value& value) {
  if (const bool* flag = value.boolean()) return Json(*flag);
  if (const auto* number = value.integer()) return Json(*number);
  if (const double* number = value.real()) return std::isfinite(*number) ? std::optional<Json>(*number) : std::nullopt;
  if (const auto* text = value.string()) return Json(*text);
  if (const List* items = value.list()) {
    Json out = Json::array();
    for (const auto& item : *items) {
      auto part = json_of(item);
      if (!part) return std::nullopt;
      out.push_back(std::move(*part));
    }
    return out;
  }
  if (const Map* entries = value.map()) {
    Json out = Json::object();
    for (const auto& [key, item] : *entries) {
      auto part = json_of(item);
      if (!part) return std::nullopt;
      out[key] = std::move(*part);
    }
    return out;
  }
  return value.is_null() ? std::optional<Json>(nullptr) : std::nullopt;
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  auto map = nested(settings, true);
  if (!map) return map.error();
  const auto tree = json_of(*map);
  if (!tree) return Error{"not-expressible", "JSON has no infinity and no not-a-number", "write the settings in another form"};
  std::string text = tree->dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (auto error = misread(read(text, context), winners(settings))) return *error;
  return text;
}

std::vector<std::string> edit(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext&) {
  const auto value = json_of(edit.value);
  if (!value) return {};
  const auto dot = edit.key.rfind('.');
  const std::string section = dot == std::string::npos ? "" : edit.key.substr(0, dot);
  const EntryText entry{Json(edit.key.substr(dot + 1)).dump(), value->dump(-1, ' ', false, Json::error_handler_t::replace), false};
  auto out = edit_tree(text, reading, edit, entry, section);
  const auto end = text.rfind('}');
  if (edit.kind == Edit::Kind::kSet && end != std::string_view::npos && section.find('.') == std::string::npos) {
    // A section that is not there yet, at the end of the object.
    const auto before = text.find_last_not_of(" \t\r\n", end - 1) + 1;
    const std::string member = ", " + Json(section).dump() + ": {" + entry.key + ": " + entry.value + "}";
    out.push_back(std::string(text.substr(0, before)) + member + std::string(text.substr(before)));
  }
  return out;
}

}  // namespace

Reader json() { return {"json", "JSON", kExample, recognise, read, write, edit}; }

}  // namespace spillway::config::readers
