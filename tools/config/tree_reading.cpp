#include "tools/config/tree_reading.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "tools/config/front_ends.hpp"
#include "tools/config/interpolation.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/suggester.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/config/targets.hpp"

namespace spillway::config {
namespace {

/// Keys are repeated in full for every value below them; a text made to grow that way is refused.
constexpr std::size_t kMaxKeyText = 64u << 20;

/// Tags that say what the value is anyway.
bool is_standard_tag(std::string_view tag) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  if (!tag.starts_with(kPrefix)) return false;
  constexpr std::array<std::string_view, 9> kNames = {"str", "int", "float", "bool", "null", "map", "seq", "set", "omap"};
  return std::find(kNames.begin(), kNames.end(), tag.substr(kPrefix.size())) != kNames.end();
}

bool has_tag(const Node& node, std::string_view name) {
  return node.tag != nullptr && node.tag->starts_with("tag:yaml.org,2002:") && std::string_view(*node.tag).substr(18) == name;
}

class TreeReader {
 public:
  TreeReader(const Document& document, const ReadContext& context, const TreeStyle& style)
      : root_(*document.root), context_(context), style_(style) {
    reading_.form = style.form;
    reading_.launcher = style.launcher;
    reading_.remarks = document.remarks;
  }

  Result<Reading> read() {
    members(root_, "", style_.front_ends && is_foreign(root_, "", 0));
    if (style_.front_ends) complete_for_front_end(reading_);
    if (key_text_ > kMaxKeyText)
      return Error{"too-large", context_.name + " repeats its sections too often",
                   "give the configuration without aliases of whole sections"};
    return std::move(reading_);
  }

 private:
  /// A path in the first few levels is a front end's.
  static bool is_foreign(const Node& node, const std::string& path, int depth) {
    constexpr int kDeepest = 3;  // No sign has more parts.
    return std::any_of(node.entries.begin(), node.entries.end(), [&](const Entry& entry) {
      const std::string spelling = path + entry.key;
      if (is_foreign_path(spelling) || is_foreign_path(spelling + ".")) return true;
      return depth + 1 < kDeepest && entry.node->is_mapping() && is_foreign(*entry.node, spelling + ".", depth + 1);
    });
  }

  /// `excused`: an unknown key was reported above, or the section is another framework's.
  void members(const Node& node, const std::string& path, bool excused) {
    for (const auto& entry : node.entries) {
      if (key_text_ > kMaxKeyText) return;
      const std::string spelling = path.empty() ? entry.key : path + "." + entry.key;
      member(entry, spelling, excused || is_foreign_path(spelling + "."));
    }
  }

  void member(const Entry& entry, const std::string& spelling, bool excused) {
    const std::string key = style_.canonical(spelling);
    const KeyFacts facts = style_.core_fields ? core_facts(key) : key_facts(key, context_.core);
    const Origin origin{-1, entry.place.line, entry.place.column, spelling};
    if (entry.repeated) remark(Remark::Kind::kDuplicate, key, {}, origin);
    const bool reported = !excused && !facts.known && !has_known_below(spelling) && report_unknown(key, origin);
    if (is_section(*entry.node, key, facts)) {
      if (has_unknown_tag(*entry.node)) remark(Remark::Kind::kUnknownTag, key, *entry.node->tag, origin);
      return members(*entry.node, spelling, excused || reported);
    }
    Value value = value_of(*entry.node, key, spelling, origin);
    if (facts.section && is_misshapen(*entry.node, key)) return misshapen(value, key, origin);
    oddities(*entry.node, value, key, facts, origin);
    add(key, std::move(value), origin);
  }

  /// `model.transformer` and the like are no keys themselves; what stands below them is.
  static bool has_known_below(const std::string& spelling) { return spelling == "model.transformer" || spelling == "model.config"; }

  KeyFacts core_facts(const std::string& key) const {
    if (key.find('.') == std::string::npos) return {true, true, false, false};
    KeyFacts facts = key_facts(key, context_.core);
    facts.known = key.starts_with("env.") || tables::find_field(key, context_.core).has_value();
    return facts;
  }

  bool is_section(const Node& node, const std::string& key, const KeyFacts& facts) const {
    if (!node.is_mapping() || has_tag(node, "set")) return false;
    if (style_.targets && is_target(node)) return is_object(node);
    if (node.entries.empty()) return facts.section;
    return facts.section || !facts.known || has_known_below(key);
  }

  /// A list or a single value where keys belong. A few sections may also be named.
  static bool is_misshapen(const Node& node, const std::string& key) {
    if (node.kind == Node::Kind::kSequence) return true;
    if (node.kind != Node::Kind::kScalar) return false;
    const auto known = tables::find_key(key);
    return !known || known->type.find("str]") == std::string_view::npos;
  }

  /// What a reference to a whole section stands for is not known, and with it none of the section's keys.
  void misshapen(const Value& value, const std::string& key, const Origin& origin) {
    if (const Unknown* open = value.unknown()) {
      reading_.remarks.push_back(
          {Remark::Kind::kOpenWords, open->text, open->text, key + " is a section: write its keys below it", {}, origin});
      return;
    }
    const std::string what = value.list() ? "a list" : value.string() ? "a text" : value.boolean() ? "a boolean" : "a number";
    remark(Remark::Kind::kIgnored, key, "it is a section, and " + what + " stands there; write `" + key + ":` with its keys below it",
           origin);
  }

  bool report_unknown(const std::string& key, const Origin& origin) {
    auto suggestions = suggest_([&] { return suggest_keys(key); });
    // A dump is written by a program, of classes that need not be known here: only a near miss is worth a word.
    const bool near = !suggestions.empty() && parent_part(suggestions.front()) == parent_part(key);
    if (style_.targets && !near) return true;
    reading_.remarks.push_back({Remark::Kind::kUnknownKey, key, {}, {}, std::move(suggestions), origin});
    return true;
  }

  Value value_of(const Node& node, const std::string& key, const std::string& spelling, const Origin& origin) {
    switch (node.kind) {
      case Node::Kind::kNull:
        return Null{};
      case Node::Kind::kScalar:
        return scalar(node, key, spelling, origin);
      case Node::Kind::kSequence:
        return list(node, key, spelling, origin);
      case Node::Kind::kMapping:
        break;
    }
    if (style_.targets && is_target(node) && !is_object(node)) return target_value(node);
    if (has_tag(node, "set")) return keys(node);
    Map map;
    for (const auto& entry : node.entries) map.emplace_back(entry.key, value_of(*entry.node, key, spelling, origin));
    return map;
  }

  Value scalar(const Node& node, const std::string& key, const std::string& spelling, const Origin& origin) {
    if (style_.interpolations && has_interpolation(node.text)) {
      Value value = interpolate(root_, spelling, node.text);
      if (const Unknown* open = value.unknown())
        reading_.remarks.push_back({Remark::Kind::kUnresolved, key, open->text, open->reason, {}, origin});
      return value;
    }
    if (node.quoted || has_tag(node, "str")) return node.text;
    if (const auto word = yaml11_boolean(node.text)) return *word;
    return resolve_plain(node.text);
  }

  Value list(const Node& node, const std::string& key, const std::string& spelling, const Origin& origin) {
    List items;
    items.reserve(node.entries.size());
    for (const auto& entry : node.entries) items.push_back(value_of(*entry.node, key, spelling, origin));
    return items;
  }

  static Value keys(const Node& node) {
    List items;
    for (const auto& entry : node.entries) items.emplace_back(entry.key);
    return items;
  }

  static bool has_unknown_tag(const Node& node) { return node.tag != nullptr && !is_standard_tag(*node.tag); }

  void oddities(const Node& node, const Value& value, const std::string& key, const KeyFacts& facts, const Origin& origin) {
    if (has_unknown_tag(node)) remark(Remark::Kind::kUnknownTag, key, *node.tag, origin);
    if (node.kind != Node::Kind::kScalar) return;
    if (!node.quoted && is_yaml11_boolean(node.text)) remark(Remark::Kind::kYaml11Bool, key, node.text, origin);
    const auto* text = value.string();
    if (text == nullptr) return;
    if (*text == "None") remark(Remark::Kind::kNoneString, key, {}, origin);
    if (facts.boolean && is_boolean_word(*text)) remark(Remark::Kind::kBoolString, key, *text, origin);
    if (facts.list && *text != "None") remark(Remark::Kind::kListString, key, *text, origin);
  }

  void remark(Remark::Kind kind, const std::string& key, std::string detail, const Origin& origin) {
    reading_.remarks.push_back({kind, key, std::move(detail), {}, {}, origin});
  }

  /// `env.` and `args.` are no sections of Megatron-Bridge: what stands there reaches neither the environment nor an option.
  void add(const std::string& key, Value value, const Origin& origin) {
    if (!style_.core_fields && (key.starts_with("env.") || key.starts_with("args."))) return;
    key_text_ += key.size() + origin.spelling.size();
    reading_.settings.push_back({key, std::move(value), origin});
  }

  const Node& root_;
  const ReadContext& context_;
  const TreeStyle& style_;
  Reading reading_;
  std::size_t key_text_ = 0;
  Suggester suggest_;
};

}  // namespace

Result<Reading> read_tree(const Document& document, const ReadContext& context, const TreeStyle& style) {
  if (document.root == nullptr || document.root->kind == Node::Kind::kNull)
    return Error{"empty-source", context.name + " holds no value", "give a file that holds a configuration"};
  if (!document.root->is_mapping())
    return bad_syntax(context, document.root->place, "the whole text is one value, not a mapping of keys to values",
                      "write `section:` with its keys below");
  return TreeReader(document, context, style).read();
}

}  // namespace spillway::config
