#include <algorithm>
#include <tuple>

#include "base/text.hpp"
#include "tools/config/arguments.hpp"
#include "tools/config/edit_tree.hpp"
#include "tools/config/front_ends.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/config/test_arguments.hpp"
#include "tools/config/top_level_keys.hpp"
#include "tools/config/tree_writing.hpp"
#include "tools/config/yaml_tree.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kName = "functional-test";

constexpr std::string_view kExample = R"(ENV_VARS:
  CUDA_DEVICE_MAX_CONNECTIONS: 1
TEST_TYPE: regular
MODEL_ARGS:
  --num-layers: 8
  --hidden-size: 1024
  --optimizer-cpu-offload: true
  --optimizer-offload-fraction: 0.5
  --use-distributed-optimizer: true
  --use-precision-aware-optimizer: true
  --offload-modules: "[core_attn moe_act]"
)";

bool is_arguments(std::string_view key) { return key == "MODEL_ARGS" || key.starts_with("MODEL_ARGS_"); }

int recognise(std::string_view text) {
  const auto keys = top_level_keys(text);
  if (std::any_of(keys.begin(), keys.end(), is_arguments)) return 95;
  text = beginning(text);
  const bool has = text.starts_with("MODEL_ARGS:") || text.find("\nMODEL_ARGS:") != std::string_view::npos;
  return has ? 80 : 0;
}

/// Variables reach the process as text.
void read_environment(const Node& variables, Reading& reading) {
  for (const auto& entry : variables.entries) {
    const Node& node = *entry.node;
    const std::string key = "env." + entry.key;
    const Origin origin{-1, entry.place.line, entry.place.column, entry.key};
    if (entry.repeated) reading.remarks.push_back({Remark::Kind::kDuplicate, key, {}, {}, {}, origin});
    if (node.kind == Node::Kind::kSequence || node.is_mapping()) {
      reading.remarks.push_back({Remark::Kind::kIgnored, entry.key, "a variable needs a single value", {}, {}, origin});
      continue;
    }
    reading.settings.push_back({key, node.kind == Node::Kind::kNull ? "null" : node.text, origin});
  }
}

/// Tests of NeMo have dotted keys without dashes, handed to Hydra.
bool is_nemo(const Node& arguments) {
  return !arguments.entries.empty() &&
         std::none_of(arguments.entries.begin(), arguments.entries.end(), [](const Entry& entry) { return entry.key.starts_with("-"); });
}

void read_nemo(const Node& arguments, Reading& reading) {
  reading.launcher = Launcher::kMegatronCore;
  for (const auto& entry : arguments.entries) {
    const Origin origin{-1, entry.place.line, entry.place.column, entry.key};
    const Node& node = *entry.node;
    if (node.kind != Node::Kind::kScalar || node.text == "true") {
      const auto why = node.text == "true" ? "true is handed over as the bare key; write True" : "only single values are handed over";
      reading.remarks.push_back({Remark::Kind::kSyntax, entry.key, why, {}, {}, origin});
      continue;
    }
    reading.settings.push_back({canonical_key(entry.key), resolve_plain(node.text), origin});
  }
  complete_for_front_end(reading);
}

/// `false` is handed over as a word, which no switch takes.
void note_false(const Node& arguments, const ReadContext& context, Reading& reading) {
  for (const auto& entry : arguments.entries) {
    if (entry.repeated)
      reading.remarks.push_back({Remark::Kind::kDuplicate, entry.key, {}, {}, {}, {-1, entry.place.line, entry.place.column, entry.key}});
    if (entry.node->kind != Node::Kind::kScalar || !iequals(entry.node->text, "false")) continue;
    const auto flag = tables::find_flag(entry.key, context.core, context.script);
    if (flag && flag->nargs != "0") continue;
    reading.remarks.push_back(
        {Remark::Kind::kFalseFlag, entry.key, entry.node->text, {}, {}, {-1, entry.place.line, entry.place.column, entry.key}});
  }
}

void read_arguments_of(const Node& arguments, const ReadContext& context, Reading& reading) {
  if (is_nemo(arguments)) return read_nemo(arguments, reading);
  Reading read = read_arguments(expand_test_arguments(arguments, context), context);
  std::move(read.settings.begin(), read.settings.end(), std::back_inserter(reading.settings));
  std::move(read.remarks.begin(), read.remarks.end(), std::back_inserter(reading.remarks));
  note_false(arguments, context, reading);
}

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto document = parse_yaml(text, context);
  if (!document) return document.error();
  const Node* root = document->root;
  if (root == nullptr || !root->is_mapping())
    return bad_syntax(context, {1, 1}, "no mapping with MODEL_ARGS", "write `MODEL_ARGS:` with the options below");
  Reading reading;
  reading.form = kName;
  reading.launcher = Launcher::kMegatronLm;
  reading.remarks = document->remarks;
  if (const Node* variables = root->find("ENV_VARS"); variables != nullptr) read_environment(*variables, reading);
  for (const auto& entry : root->entries) {
    const Origin origin{-1, entry.place.line, entry.place.column, entry.key};
    if (entry.repeated) reading.remarks.push_back({Remark::Kind::kDuplicate, entry.key, {}, {}, {}, origin});
    if (entry.key == "MODEL_ARGS") {
      if (entry.node->is_mapping())
        read_arguments_of(*entry.node, context, reading);
      else if (entry.node->kind != Node::Kind::kNull)
        return bad_syntax(context, entry.node->place, "MODEL_ARGS is no mapping of options to values",
                          "write `--option: value` lines below it");
    } else if (is_arguments(entry.key)) {
      reading.remarks.push_back(
          {Remark::Kind::kIgnored, entry.key, "only MODEL_ARGS is read; this section belongs to another run of the test", {}, {}, origin});
    }
  }
  return reading;
}

/// `--x`, its values behind it; `--x=-1` is one word.
std::pair<std::string, std::vector<std::string>> option_and_values(std::vector<std::string> words) {
  const auto equals = words.front().find('=');
  if (words.size() == 1 && equals != std::string::npos) return {words.front().substr(0, equals), {words.front().substr(equals + 1)}};
  const std::string option = words.front();
  words.erase(words.begin());
  return {option, std::move(words)};
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  std::string variables, arguments;
  const auto last = winners(settings);
  for (const auto& setting : last) {
    if (setting.key.starts_with("env.")) {
      if (setting.value.is_unknown()) return not_expressible(setting, "its value is not known");
      variables += "  " + yaml_string(setting.key.substr(4)) + ": " + yaml_string(setting.value.str()) + "\n";
      continue;
    }
    auto words = write_arguments({setting}, context);
    if (!words) return words.error();
    const auto [option, values] = option_and_values(std::move(*words));
    arguments += "  " + option + ": " + test_argument_text(values) + "\n";
  }
  std::string text =
      (variables.empty() ? "" : "ENV_VARS:\n" + variables) + "MODEL_ARGS:" + (arguments.empty() ? " {}" : "") + "\n" + arguments;
  if (auto error = misread(read(text, context), last)) return *error;
  return text;
}

/// The text without quotes where reading it back may show that they are not needed, then with them.
std::vector<std::string> spellings(const std::string& text) {
  const bool plain =
      !text.empty() && text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-") == std::string::npos;
  std::vector<std::string> out{yaml_string(text)};
  if (plain && out.front() != text) out.insert(out.begin(), text);
  return out;
}

std::vector<std::string> edit(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context) {
  const bool variable = edit.key.starts_with("env.");
  Reading near = reading;
  std::erase_if(near.settings, [&](const Setting& setting) { return setting.key.starts_with("env.") != variable; });
  if (edit.kind == Edit::Kind::kRemove) return edit_tree(text, near, edit, {}, "");
  std::string key = edit.key.substr(edit.key.find('.') + 1), value = edit.value.str();
  std::vector<std::string> values;
  if (!variable) {
    auto words = write_arguments({{edit.key, edit.value, {}}}, context);
    if (!words) return {};
    std::tie(key, values) = option_and_values(std::move(*words));
    value = values.size() == 1 ? values.front() : "";
  }
  std::vector<std::string> out;
  auto texts = values.size() == 1 || variable ? spellings(value) : std::vector<std::string>{};
  if (!variable) texts.push_back(test_argument_text(values));
  for (const auto& spelling : texts)
    for (auto& candidate : edit_tree(text, near, edit, {key, spelling, !variable}, variable && near.settings.empty() ? "ENV_VARS" : ""))
      out.push_back(std::move(candidate));
  return out;
}

}  // namespace

Reader functional_test() { return {kName, "Megatron-LM functional test (model_config.yaml)", kExample, recognise, read, write, edit}; }

}  // namespace spillway::config::readers
