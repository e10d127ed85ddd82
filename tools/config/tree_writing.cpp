#include "tools/config/tree_writing.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>

#include "base/text.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/targets.hpp"
#include "tools/config/tree.hpp"

namespace spillway::config {
namespace {

/// Some value in it, however deep, is as asked.
bool holds(const Value& value, bool (*wanted)(const Value&)) {
  if (wanted(value)) return true;
  const auto inner = [&](const Value& item) { return holds(item, wanted); };
  if (const List* items = value.list()) return std::any_of(items->begin(), items->end(), inner);
  if (const Map* entries = value.map())
    return std::any_of(entries->begin(), entries->end(), [&](const auto& entry) { return inner(entry.second); });
  return false;
}

bool refers(const Value& value) { return value.string() != nullptr && value.string()->find("${") != std::string::npos; }

std::optional<Error> refusal(const Setting& setting, bool environment) {
  if (setting.value.holds_unknown()) return not_expressible(setting, "its value is not known");
  if (holds(setting.value, refers)) return not_expressible(setting, "`${` would be read as a reference");
  if (setting.key.starts_with("args.")) return not_expressible(setting, "it is an option of Megatron-LM, no configuration key");
  if (setting.key.starts_with("env.") && !environment) return not_expressible(setting, "it belongs to the process environment");
  return std::nullopt;
}

/// What reading back must give; every variable of the process is text, and not-a-number is unequal to itself.
std::string shown(const Setting& setting) { return setting.key.starts_with("env.") ? setting.value.str() : setting.value.repr(); }

/// A tree whose inner nodes are sections and whose leaves are settings; a map that is a value is a leaf too.
struct Section {
  const Setting* leaf = nullptr;
  std::vector<std::pair<std::string, std::size_t>> members;  ///< Indices into the list of sections.
  std::unordered_map<std::string, std::size_t> index;
};

class Nesting {
 public:
  std::optional<Error> add(const Setting& setting) {
    std::size_t at = 0;
    const auto parts = split(setting.key, '.');
    if (parts.size() > kMaxDepth) return not_expressible(setting, "it is nested too deeply");
    for (const auto part : parts) {
      if (sections_[at].leaf != nullptr) return not_expressible(setting, sections_[at].leaf->key + " is a value beside it");
      at = member(at, std::string(part));
    }
    if (!sections_[at].members.empty()) return not_expressible(setting, "other settings stand below that key");
    sections_[at].leaf = &setting;
    return std::nullopt;
  }
  Map map(std::size_t at = 0) const {
    Map out;
    for (const auto& [key, index] : sections_[at].members) {
      const Setting* leaf = sections_[index].leaf;
      out.emplace_back(key, leaf != nullptr ? leaf->value : Value(map(index)));
    }
    return out;
  }

 private:
  std::size_t member(std::size_t at, std::string key) {
    const auto [place, fresh] = sections_[at].index.try_emplace(key, sections_.size());
    const std::size_t index = place->second;
    if (fresh) {
      sections_[at].members.emplace_back(std::move(key), index);
      sections_.emplace_back();
    }
    return index;
  }
  std::deque<Section> sections_ = std::deque<Section>(1);
};

class Block {
 public:
  explicit Block(bool targets) : targets_(targets) {}
  std::string text;

  void map(const Map& entries, std::size_t indent) {
    for (const auto& [key, value] : entries) {
      text.append(indent, ' ') += yaml_string(key) + ":";
      const bool plain = !targets_ || key == "_target_";
      if (!plain && value.string() != nullptr && is_dtype_name(*value.string()))
        dtype(*value.string(), std::string(indent + 2, ' '));
      else
        member(value, indent);
    }
  }

 private:
  void member(const Value& value, std::size_t indent) {
    const Map* entries = value.map();
    if (entries != nullptr && !entries->empty()) {
      text += '\n';
      return map(*entries, indent + 2);
    }
    const List* items = value.list();
    if (items != nullptr && !items->empty()) {
      text += '\n';
      return list(*items, indent);
    }
    scalar(" ", value);
  }
  void dtype(const std::string& name, const std::string& margin) {
    text += "\n" + margin + "_call_: false\n" + margin + "_target_: " + name + "\n";
  }
  /// nested() has seen to it that nothing is Unknown here.
  void scalar(std::string_view before, const Value& value) {
    text += before;
    if (const auto shown = yaml_text(value)) text += *shown;
    text += '\n';
  }
  void list(const List& items, std::size_t indent) {
    for (const auto& item : items) {
      text.append(indent, ' ');
      scalar("- ", item);
    }
  }
  bool targets_;
};

}  // namespace

std::vector<Setting> winners(const std::vector<Setting>& settings) {
  std::unordered_map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < settings.size(); ++i) last[settings[i].key] = i;
  std::vector<Setting> kept;
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (last[settings[i].key] == i) kept.push_back(settings[i]);
  return kept;
}

Error not_expressible(const Setting& setting, std::string_view why) {
  return {"not-expressible", setting.key + " cannot be written in this form: " + std::string(why), "write it in another form"};
}

Result<Map> nested(const std::vector<Setting>& settings, bool environment) {
  const std::vector<Setting> last = winners(settings);
  Nesting nesting;
  for (const auto& setting : last) {
    if (auto error = refusal(setting, environment)) return *error;
    if (auto error = nesting.add(setting)) return *error;
  }
  return nesting.map();
}

std::optional<Error> misread(const Result<Reading>& again, const std::vector<Setting>& settings) {
  if (settings.empty()) return std::nullopt;
  if (!again) return not_expressible(settings.front(), "reading it back fails, " + again.error().message);
  std::unordered_map<std::string_view, const Setting*> found;
  for (const auto& setting : again->settings) found[setting.key] = &setting;
  for (const auto& setting : settings) {
    const auto match = found.find(setting.key);
    if (match == found.end() || shown(*match->second) != shown(setting))
      return not_expressible(setting, "it would be read as something else");
  }
  if (found.size() == settings.size()) return std::nullopt;
  return not_expressible(settings.front(), "more would be read than was written");
}

std::string yaml_block(const Map& map, bool targets) {
  Block block(targets);
  block.map(map, 0);
  return block.text;
}

}  // namespace spillway::config
