#include "tools/config/tree.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"

namespace spillway::config {
namespace {

/// A long text costs more to copy than a short one; otherwise aliases of one huge text would be a cheap bomb.
std::uint32_t cost(std::string_view text) { return static_cast<std::uint32_t>(1 + text.size() / 256); }

/// Most mappings are short; comparing all pairs then beats a table.
bool short_and_unique(const std::vector<Entry>& entries) {
  if (entries.size() > 12) return false;
  for (std::size_t i = 1; i < entries.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (entries[i].key == entries[j].key) return false;
  return true;
}

/// Keeps the last entry of each key.
void keep_last(std::vector<Entry>& entries) {
  if (short_and_unique(entries)) return;
  std::unordered_map<std::string_view, std::size_t> last;
  last.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) last[entries[i].key] = i;
  if (last.size() == entries.size()) return;
  std::vector<Entry> kept;
  std::vector<bool> repeated(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const std::size_t winner = last[entries[i].key]; winner != i) repeated[winner] = true;
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].repeated = entries[i].repeated || repeated[i];
  std::vector<std::size_t> order;
  for (const auto& [name, index] : last) order.push_back(index);
  std::sort(order.begin(), order.end());
  for (const std::size_t index : order) kept.push_back(std::move(entries[index]));
  entries = std::move(kept);
}

/// The entries a merge key brings in: those of one mapping or of several, the first of which wins.
void collect_merged(const Entry& merge, std::vector<Entry>& merged) {
  const Node& value = *merge.node;
  if (value.is_mapping()) {
    merged.insert(merged.end(), value.entries.begin(), value.entries.end());
    return;
  }
  if (value.kind != Node::Kind::kSequence) throw SyntaxError{merge.place, "a merge key needs a mapping or a list of mappings"};
  for (auto item = value.entries.rbegin(); item != value.entries.rend(); ++item) {
    if (!item->node->is_mapping()) throw SyntaxError{item->place, "a merge key needs a mapping or a list of mappings"};
    merged.insert(merged.end(), item->node->entries.begin(), item->node->entries.end());
  }
}

bool is_merge(const Entry& entry) { return entry.plain && entry.key == "<<"; }

/// `<<` brings in entries that any written beside it override, wherever it stands.
void merge(std::vector<Entry>& entries) {
  if (std::none_of(entries.begin(), entries.end(), is_merge)) return;
  std::vector<Entry> merged;
  for (const auto& entry : entries)
    if (is_merge(entry)) collect_merged(entry, merged);
  entries.erase(std::remove_if(entries.begin(), entries.end(), is_merge), entries.end());
  keep_last(merged);
  std::unordered_map<std::string_view, std::size_t> own;
  for (const auto& entry : entries) own.emplace(entry.key, 0);
  std::vector<Entry> all;
  for (auto& entry : merged) {
    entry.repeated = false;
    if (!own.contains(entry.key)) all.push_back(std::move(entry));
  }
  std::move(entries.begin(), entries.end(), std::back_inserter(all));
  entries = std::move(all);
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  if (is_mapping())
    for (const auto& entry : entries)
      if (entry.key == key) return entry.node;
  return nullptr;
}

Error bad_syntax(const ReadContext& context, Place place, std::string_view what, std::string_view hint) {
  const std::string name = context.name.empty() ? "the text" : context.name;
  const std::string where = name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  return {"bad-syntax", where + ": " + std::string(what), std::string(hint), {}, where};
}

Place place_at(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto newline = before.rfind('\n');
  const auto column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1, static_cast<int>(column) + 1};
}

std::optional<Error> unreadable(std::string_view text, const ReadContext& context) {
  if (text.size() > kMaxSourceBytes)
    return Error{"file-too-large", context.name + " is larger than 16 MiB", "give the configuration alone"};
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == 0) return bad_syntax(context, place_at(text, at), "a NUL byte: this is not a text file", "give a text file");
    const std::size_t length = byte < 0x80 ? 1 : utf8_length(text, at);
    if (length == 0) return bad_syntax(context, place_at(text, at), "bytes that are not UTF-8", "save the file as UTF-8");
    at += length;
  }
  return std::nullopt;
}

Node* TreeBuilder::make(Node::Kind kind, Place place, std::string_view tag) {
  Node& node = document_.nodes.emplace_back();
  node.kind = kind;
  node.place = place;
  if (!tag.empty()) node.tag = &document_.tags.emplace_back(tag);
  if (document_.nodes.size() > max_nodes_) throw SyntaxError{place, "more than " + std::to_string(max_nodes_) + " values"};
  return &node;
}

void TreeBuilder::grow(std::uint32_t& size, std::uint32_t by, Place place) const {
  if (by > max_nodes_ || size > max_nodes_ - by)
    throw SyntaxError{place, "more than " + std::to_string(max_nodes_) + " values once aliases are expanded"};
  size += by;
}

void TreeBuilder::attach(const Node* node, Place place) {
  if (open_.empty()) {
    if (document_.root == nullptr) document_.root = node;
    return;
  }
  Frame& frame = open_.back();
  if (!frame.node->is_mapping()) {
    frame.node->entries.push_back({{}, place, node});
    return;
  }
  frame.pending.node = node;
  frame.node->entries.push_back(std::move(frame.pending));
  frame.pending = {};
  frame.has_key = false;
}

void TreeBuilder::key(Place place, std::string_view text, bool quoted) {
  if (text.size() > kMaxKeyBytes) throw SyntaxError{place, "a key longer than " + std::to_string(kMaxKeyBytes) + " bytes"};
  Frame& frame = open_.back();
  frame.pending.key = text;
  frame.pending.place = place;
  frame.pending.plain = !quoted;
  frame.has_key = true;
}

const Node* TreeBuilder::null(Place place) {
  if (expects_key()) {
    key(place, "null", false);
    return nullptr;
  }
  const Node* node = make(Node::Kind::kNull, place, {});
  attach(node, place);
  if (!open_.empty()) grow(open_.back().node->size, 1, place);
  return node;
}

const Node* TreeBuilder::scalar(Place place, std::string_view text, bool quoted, std::string_view tag) {
  if (expects_key()) {
    key(place, text, quoted);
    return nullptr;
  }
  Node* node = make(Node::Kind::kScalar, place, tag);
  node->quoted = quoted;
  node->text = text;
  node->size = cost(text);
  attach(node, place);
  if (!open_.empty()) grow(open_.back().node->size, node->size, place);
  return node;
}

const Node* TreeBuilder::open(Node::Kind kind, Place place, std::string_view tag) {
  if (expects_key()) throw SyntaxError{place, "a list or mapping as a key"};
  if (open_.size() >= kMaxDepth) throw SyntaxError{place, "nested deeper than " + std::to_string(kMaxDepth) + " levels"};
  Node* node = make(kind, place, tag);
  open_.push_back({node});
  return node;
}

void TreeBuilder::close() {
  Node* node = open_.back().node;
  open_.pop_back();
  if (node->is_mapping()) {
    merge(node->entries);
    keep_last(node->entries);
  }
  attach(node, node->place);
  if (!open_.empty()) grow(open_.back().node->size, node->size, node->place);
}

bool TreeBuilder::closed(const Node* node) const {
  return std::none_of(open_.begin(), open_.end(), [&](const Frame& frame) { return frame.node == node; });
}

void TreeBuilder::alias(Place place, const Node* target) {
  if (expects_key()) {
    if (target->kind != Node::Kind::kScalar) throw SyntaxError{place, "a list or mapping as a key"};
    return key(place, target->text, target->quoted);
  }
  if (!closed(target)) throw SyntaxError{place, "an alias inside the value it stands for"};
  attach(target, place);
  if (!open_.empty()) grow(open_.back().node->size, target->size, place);
}

}  // namespace spillway::config
