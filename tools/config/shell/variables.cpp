#include "tools/config/shell/variables.hpp"

#include <algorithm>
#include <map>

namespace spillway::config::shell {
namespace {

constexpr int kMaxReferences = 8;

bool same(const Fragment& a, const Fragment& b) { return a.text == b.text && a.open == b.open; }
bool same(const Field& a, const Field& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Fragment& x, const Fragment& y) { return same(x, y); });
}

Fragment doubtful(Fragment fragment, const std::string& reason) {
  if (fragment.reason.empty()) fragment.reason = reason;
  return fragment;
}

Field doubtful(Field field, const std::string& reason) {
  if (field.empty()) field.push_back({"", 0, reason, false});
  for (auto& fragment : field) fragment = doubtful(std::move(fragment), reason);
  return field;
}

/// What is in both, with the doubts of either.
Fragment shared(const Fragment& a, const Fragment& b) { return a.reason.empty() ? b : a; }
Field shared(const Field& a, const Field& b) {
  Field out;
  for (std::size_t at = 0; at < a.size(); ++at) out.push_back(shared(a[at], b[at]));
  return out;
}

/// What two sequences have in common at both ends stays; what only one has becomes doubtful. Nothing when both have something
/// of their own: then they are alternatives, not one with an addition.
template <class T>
std::optional<std::vector<T>> merged(const std::vector<T>& a, const std::vector<T>& b, const std::string& reason) {
  std::size_t front = 0, back = 0;
  while (front < a.size() && front < b.size() && same(a[front], b[front])) ++front;
  while (front + back < a.size() && front + back < b.size() && same(a[a.size() - back - 1], b[b.size() - back - 1])) ++back;
  const bool a_adds = front + back < a.size(), b_adds = front + back < b.size();
  if (a_adds && b_adds) return std::nullopt;
  const auto& longer = a_adds ? a : b;
  std::vector<T> out = longer;
  const auto& shorter = a_adds ? b : a;
  for (std::size_t at = 0; at < front; ++at) out[at] = shared(a[at], b[at]);
  for (std::size_t at = 1; at <= back; ++at) out[out.size() - at] = shared(longer[longer.size() - at], shorter[shorter.size() - at]);
  for (std::size_t at = front; at + back < longer.size(); ++at) out[at] = doubtful(longer[at], reason);
  return out;
}

Field alternatives(const Field& a, const Field& b, const std::string& reason) {
  const std::string first = text_of(a), second = text_of(b);
  const bool listed = (" or " + first + " or ").find(" or " + second + " or ") != std::string::npos;
  return {{listed ? first : first + " or " + second, a.empty() ? 0 : a.front().offset, reason, true}};
}

Variable either_text(const Variable& a, const Variable& b, const std::string& reason) {
  auto field = merged(a.scalar(), b.scalar(), reason);
  // One value that only gets longer is a list of arguments; a plain value that differs is two values.
  const bool plain = text_of(a.scalar()).find(' ') == std::string::npos && text_of(b.scalar()).find(' ') == std::string::npos;
  const bool both = !text_of(a.scalar()).empty() && !text_of(b.scalar()).empty();
  if (same(a.scalar(), b.scalar()))
    field = shared(a.scalar(), b.scalar());
  else if (!field || (plain && both))
    field = alternatives(a.scalar(), b.scalar(), reason);
  Variable out = a;
  out.elements = {std::move(*field)};
  out.exported = a.exported || b.exported;
  out.bytes = a.bytes + b.bytes;
  return out;
}

/// Elements with names: those of either, doubtful where they are not the same in both.
Variable either_keyed(const Variable& a, const Variable& b, const std::string& reason) {
  Variable out = a;
  out.array = out.keyed = true;
  out.keys.resize(out.elements.size());
  out.bytes = a.bytes + b.bytes;
  for (std::size_t at = 0; at < out.elements.size(); ++at) {
    const std::size_t other = b.position(out.keys[at]);
    if (other >= b.elements.size())
      out.elements[at] = doubtful(std::move(out.elements[at]), reason);
    else if (!same(out.elements[at], b.elements[other]))
      out.elements[at] = alternatives(out.elements[at], b.elements[other], reason);
  }
  for (std::size_t at = 0; at < b.keys.size() && at < b.elements.size(); ++at) {
    if (a.position(b.keys[at]) < a.elements.size()) continue;
    out.keys.push_back(b.keys[at]);
    out.elements.push_back(doubtful(b.elements[at], reason));
  }
  return out;
}

}  // namespace

std::string text_of(const Field& field) {
  std::string out;
  for (const auto& fragment : field) out += fragment.text;
  return out;
}

const Fragment* uncertain(const Field& field) {
  const auto found = std::find_if(field.begin(), field.end(), [](const Fragment& fragment) { return !fragment.reason.empty(); });
  return found == field.end() ? nullptr : &*found;
}

Token token_of(const Field& field, std::size_t offset, const Lines& lines) {
  Token out{text_of(field), {}, std::nullopt};
  out.open = std::any_of(field.begin(), field.end(), [](const Fragment& fragment) { return fragment.open; });
  const auto first = std::find_if(field.begin(), field.end(), [](const Fragment& fragment) { return !fragment.text.empty(); });
  out.origin = lines.origin(first == field.end() ? offset : first->offset);
  if (const Fragment* fragment = uncertain(field)) out.unknown = Unknown{out.text, fragment->reason};
  return out;
}

const Field& Variable::scalar() const {
  static const Field empty;
  return elements.empty() ? empty : elements.front();
}

std::size_t Variable::position(std::string_view key) const {
  return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
}

std::size_t Variable::weight() const {
  std::size_t sum = elements.size();
  for (const auto& element : elements) sum += element.size();
  return sum;
}

Variable either(const Variable& a, const Variable& b, const std::string& reason) {
  if (!a.array && !b.array) return either_text(a, b, reason);
  if (a.keyed || b.keyed) return either_keyed(a, b, reason);
  auto elements = merged(a.elements, b.elements, reason);
  if (!elements) {
    std::size_t front = 0;
    while (front < a.elements.size() && front < b.elements.size() && same(a.elements[front], b.elements[front])) ++front;
    elements = std::vector<Field>(a.elements.begin(), a.elements.begin() + static_cast<std::ptrdiff_t>(front));
    for (const auto* side : {&a.elements, &b.elements})
      for (std::size_t at = front; at < side->size(); ++at) elements->push_back(doubtful((*side)[at], reason));
  }
  Variable out = a;
  out.elements = std::move(*elements);
  out.array = true;
  out.bytes = a.bytes + b.bytes;
  return out;
}

std::string_view Variables::resolve(std::string_view name) const {
  for (int step = 0; step < kMaxReferences; ++step) {
    const auto found = references_.find(name);
    if (found == references_.end()) break;
    name = found->second;
  }
  return name;
}

const Variable* Variables::find(std::string_view name) const {
  name = resolve(name);
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer)
    if (const auto found = layer->find(name); found != layer->end()) return found->second ? &*found->second : nullptr;
  return nullptr;
}

bool Variables::is_unset(std::string_view name) const {
  name = resolve(name);
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer)
    if (const auto found = layer->find(name); found != layer->end()) return !found->second;
  return false;
}

void Variables::set(const std::string& name, Variable value) {
  const Variable* before = find(name);
  value.exported = value.exported || (before != nullptr && before->exported);
  value.bytes = 0;
  for (const auto& element : value.elements)
    for (const auto& fragment : element) value.bytes += fragment.text.size();
  layers_.back()[std::string(resolve(name))] = std::move(value);
}

void Variables::unset(const std::string& name) { layers_.back()[std::string(resolve(name))] = std::nullopt; }

Variable* Variables::own(const std::string& name) {
  const Variable* before = find(name);
  if (before == nullptr) return nullptr;
  const std::string target(resolve(name));
  const auto found = layers_.back().find(target);
  if (found != layers_.back().end()) return &*found->second;
  auto& copy = layers_.back()[target];
  copy = *before;
  return &*copy;
}

void Variables::export_as(const std::string& name, bool exported) {
  const Variable* before = find(name);
  if (before != nullptr && before->exported != exported) own(name)->exported = exported;
}

Variables::State Variables::state(std::string_view name) const {
  const Variable* value = find(name);
  return {value == nullptr ? std::nullopt : std::optional(*value), is_unset(name), false};
}

void Variables::restore(const std::string& name, State state) {
  if (state.refers) return void(references_.erase(name));
  const std::string target(resolve(name));
  if (state.value || state.unset)
    layers_.back()[target] = std::move(state.value);
  else
    layers_.back().erase(target);
}

Variables::Layer Variables::pop() {
  Layer layer = std::move(layers_.back());
  layers_.pop_back();
  return layer;
}

void Variables::apply(Layer layer) {
  for (auto& [name, value] : layer) layers_.back()[name] = std::move(value);
}

Variables::Layer Variables::flattened(std::size_t depth) const {
  Layer out;
  for (std::size_t at = depth; at < layers_.size(); ++at)
    for (const auto& [name, value] : layers_[at]) out[name] = value;
  return out;
}

std::vector<std::string> Variables::names() const {
  std::set<std::string> found;
  for (const auto& layer : layers_)
    for (const auto& [name, value] : layer) found.insert(name);
  return {found.begin(), found.end()};
}

std::vector<std::pair<std::string, const Variable*>> Variables::exported() const {
  std::map<std::string, const Variable*> found;
  for (const auto& layer : layers_)
    for (const auto& [name, value] : layer) {
      if (value && value->exported && !value->array)
        found[name] = &*value;
      else
        found.erase(name);
    }
  return {found.begin(), found.end()};
}

}  // namespace spillway::config::shell
