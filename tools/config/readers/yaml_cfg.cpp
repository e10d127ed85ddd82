#include <algorithm>

#include "base/text.hpp"
#include "tools/config/edit_tree.hpp"
#include "tools/config/interpolation.hpp"
#include "tools/config/namespace_keys.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/suggester.hpp"
#include "tools/config/top_level_keys.hpp"
#include "tools/config/tree_writing.hpp"
#include "tools/config/yaml_tree.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kName = "megatron-yaml";

constexpr std::string_view kExample = R"(language_model:
  num_layers: 12
  hidden_size: 1024
  recompute_granularity: null
model_parallel:
  tensor_model_parallel_size: 2
  cpu_offloading: True
  cpu_offloading_num_layers: 3
micro_batch_size: 1
optimizer: adam
lr: 3.0e-4
)";

constexpr std::string_view kSections[] = {"language_model", "model_parallel"};
bool is_section(std::string_view key) { return key == kSections[0] || key == kSections[1]; }

int recognise(std::string_view text) {
  const auto keys = top_level_keys(text);
  if (std::any_of(keys.begin(), keys.end(), is_section)) return 90;
  // Without its sections the form is a flat list of names; two that every such file has tell it from other YAML.
  const bool flat = has_key(keys, "micro_batch_size") && has_key(keys, "train_iters");
  return flat ? 40 : 0;
}

class YamlCfgReader {
 public:
  YamlCfgReader(const Document& document, const ReadContext& context) : root_(*document.root), context_(context), names_(context) {
    reading_.form = kName;
    reading_.launcher = Launcher::kMegatronLmYaml;
    reading_.remarks = document.remarks;
  }

  Reading read() {
    for (const auto& entry : root_.entries) {
      if (is_section(entry.key) && entry.node->is_mapping())
        section(entry);
      else if (is_section(entry.key) && entry.node->kind != Node::Kind::kNull)
        remark(Remark::Kind::kIgnored, entry.key,
               "it is a section, and no mapping stands there; write `" + entry.key + ":` with its fields below it",
               origin(entry, entry.key));
      else
        member(entry);
    }
    return std::move(reading_);
  }

 private:
  void section(const Entry& section) {
    if (section.repeated) remark(Remark::Kind::kDuplicate, section.key, {}, origin(section, section.key));
    for (const auto& entry : section.node->entries) {
      const std::string key = "model." + entry.key;
      const Origin at = origin(entry, section.key + "." + entry.key);
      if (!tables::find_field(key, context_.core)) unknown(key, at);
      add(entry, key, at, false);
    }
  }

  void member(const Entry& entry) {
    const Origin at = origin(entry, entry.key);
    const auto target = names_.find(entry.key);
    if (!target) unknown("args." + entry.key, at);
    add(entry, target ? target->key : "args." + entry.key, at, target && target->inverted);
  }

  void add(const Entry& entry, const std::string& key, const Origin& at, bool inverted) {
    if (entry.repeated) remark(Remark::Kind::kDuplicate, key, {}, at);
    Value value = value_of(*entry.node, key, at);
    if (const bool* flag = value.boolean(); flag != nullptr && inverted) value = Value(!*flag);
    oddities(*entry.node, value, key, at);
    reading_.settings.push_back({key, std::move(value), at});
  }

  Value value_of(const Node& node, const std::string& key, const Origin& at) {
    if (node.kind == Node::Kind::kNull) return Null{};
    if (node.kind == Node::Kind::kScalar) return scalar(node, key, at);
    if (node.kind == Node::Kind::kSequence) {
      List items;
      for (const auto& entry : node.entries) items.push_back(value_of(*entry.node, key, at));
      return items;
    }
    Map map;
    for (const auto& entry : node.entries) map.emplace_back(entry.key, value_of(*entry.node, key, at));
    return map;
  }

  /// This form is read by PyYAML without additions.
  static Value plain(const std::string& text) {
    if (const auto word = yaml11_boolean(text)) return *word;
    Value value = resolve_plain(text);
    return value.real() != nullptr && !is_yaml11_float(text) ? Value(text) : value;
  }

  /// Here `${NAME}` is a variable of the process environment.
  Value scalar(const Node& node, const std::string& key, const Origin& at) {
    if (!has_interpolation(node.text)) return node.quoted ? Value(node.text) : plain(node.text);
    const Unknown open{node.text, "a variable of the process environment stands in it"};
    reading_.remarks.push_back({Remark::Kind::kUnresolved, key, open.text, open.reason, {}, at});
    return open;
  }

  void oddities(const Node& node, const Value& value, const std::string& key, const Origin& at) {
    if (node.tag != nullptr && !node.tag->starts_with("tag:yaml.org,2002:")) remark(Remark::Kind::kUnknownTag, key, *node.tag, at);
    if (node.kind == Node::Kind::kScalar && !node.quoted && is_yaml11_boolean(node.text))
      remark(Remark::Kind::kYaml11Bool, key, node.text, at);
    const auto* text = value.string();
    if (text == nullptr) return;
    if (*text == "None") remark(Remark::Kind::kNoneString, key, {}, at);
    const auto field = is_boolean_word(*text) ? tables::find_field(key, context_.core) : std::nullopt;
    if (field && field->type.find("bool") != std::string_view::npos) remark(Remark::Kind::kBoolString, key, *text, at);
  }

  /// Names from the flat list are compared without `args.`, fields with their section.
  void unknown(const std::string& key, const Origin& at) {
    Remark found{Remark::Kind::kUnknownKey, key, {}, {}, {}, at};
    found.suggestions = suggest_([&] {
      return key.starts_with("args.") ? nearest(key.substr(5), names_.names()) : nearest(key, tables::field_keys("model", context_.core));
    });
    reading_.remarks.push_back(std::move(found));
  }

  static Origin origin(const Entry& entry, std::string spelling) { return {-1, entry.place.line, entry.place.column, std::move(spelling)}; }
  void remark(Remark::Kind kind, const std::string& key, std::string detail, const Origin& at) {
    reading_.remarks.push_back({kind, key, std::move(detail), {}, {}, at});
  }

  const Node& root_;
  const ReadContext& context_;
  NamespaceKeys names_;
  Reading reading_;
  Suggester suggest_;
};

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto document = parse_yaml(text, context);
  if (!document) return document.error();
  if (document->root == nullptr || !document->root->is_mapping())
    return bad_syntax(context, {1, 1}, "no mapping of names to values", "write `model_parallel:` and `language_model:` with their fields");
  return YamlCfgReader(*document, context).read();
}

/// Where a setting stands: a section and a name, or a name alone.
std::optional<std::pair<std::string_view, std::string>> place_of(const Setting& setting, const ReadContext& context,
                                                                 const NamespaceKeys& names) {
  const bool model = setting.key.starts_with("model.");
  if (const auto field = model ? tables::find_field(setting.key, context.core) : std::nullopt)
    return {{field->owner == "ModelParallelConfig" ? kSections[1] : kSections[0], setting.key.substr(6)}};
  if (auto name = names.name_of(setting.key)) return {{std::string_view(), std::move(*name)}};
  if (model) return {{kSections[0], setting.key.substr(6)}};
  return std::nullopt;
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  const NamespaceKeys names(context);
  Map flat, sections[2];
  const auto last = winners(settings);
  for (const auto& setting : last) {
    if (setting.value.is_unknown() || has_interpolation(setting.value.repr())) return not_expressible(setting, "its value is not known");
    auto place = place_of(setting, context, names);
    if (!place) return not_expressible(setting, "Megatron-LM has no option for it");
    Map& target = place->first.empty() ? flat : sections[place->first == kSections[1]];
    target.emplace_back(std::move(place->second), setting.value);
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (!sections[i].empty()) flat.emplace_back(kSections[i], std::move(sections[i]));
  std::string text = yaml_block(flat, false);
  if (auto error = misread(read(text, context), last)) return *error;
  return text;
}

/// Some names say no where their key says yes; which of both it is shows when the text is read again.
std::vector<std::string> edit(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context) {
  const NamespaceKeys names(context);
  const auto place = place_of({edit.key, edit.value, {}}, context, names);
  if (!place) return {};
  const std::string section(place->first);
  EntryText entry{yaml_string(place->second), yaml_text(edit.value).value_or(""), false};
  auto out = edit_tree(text, reading, edit, entry, section);
  if (const bool* flag = edit.value.boolean()) {
    entry.value = *flag ? "false" : "true";
    for (auto& inverted : edit_tree(text, reading, edit, entry, section)) out.push_back(std::move(inverted));
  }
  return out;
}

}  // namespace

Reader yaml_cfg() { return {kName, "Megatron-LM --yaml-cfg file", kExample, recognise, read, write, edit}; }

}  // namespace spillway::config::readers
