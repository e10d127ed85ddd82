#include "tools/config/shell/variables.hpp"

#include <algorithm>
#include <map>

namespace spillway::config::shell {
namespace {

bool same(const Fragment& a, const Fragment& b) { return a.text == b.text && a.open == b.open && a.reason == b.reason; }
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
  for (std::size_t at = front; at + back < longer.size(); ++at) out[at] = doubtful(longer[at], reason);
  return out;
}

Field alternatives(const Field& a, const Field& b, const std::string& reason) {
  return {{text_of(a) + " or " + text_of(b), a.empty() ? 0 : a.front().offset, reason, true}};
}

Variable either_text(const Variable& a, const Variable& b, const std::string& reason) {
  auto field = merged(a.scalar(), b.scalar(), reason);
  // One value that only gets longer is a list of arguments; a plain value that differs is two values.
  const bool plain = text_of(a.scalar()).find(' ') == std::string::npos && text_of(b.scalar()).find(' ') == std::string::npos;
  const bool both = !text_of(a.scalar()).empty() && !text_of(b.scalar()).empty();
  if (!field || (plain && both)) field = same(a.scalar(), b.scalar()) ? a.scalar() : alternatives(a.scalar(), b.scalar(), reason);
  return {{std::move(*field)}, false, a.exported || b.exported};
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
  const auto first = std::find_if(field.begin(), field.end(), [](const Fragment& fragment) { return !fragment.text.empty(); });
  out.origin = lines.origin(first == field.end() ? offset : first->offset);
  if (const Fragment* fragment = uncertain(field)) out.unknown = Unknown{out.text, fragment->reason};
  return out;
}

Text script_of(const Field& field) {
  Text out;
  for (const auto& fragment : field) out.append(fragment.text, fragment.offset);
  return out;
}

const Field& Variable::scalar() const {
  static const Field empty;
  return elements.empty() ? empty : elements.front();
}

std::size_t Variable::weight() const {
  std::size_t sum = elements.size();
  for (const auto& element : elements) sum += element.size();
  return sum;
}

Variable either(const Variable& a, const Variable& b, const std::string& reason) {
  if (!a.array && !b.array) return either_text(a, b, reason);
  auto elements = merged(a.elements, b.elements, reason);
  if (!elements) {
    std::size_t front = 0;
    while (front < a.elements.size() && front < b.elements.size() && same(a.elements[front], b.elements[front])) ++front;
    elements = std::vector<Field>(a.elements.begin(), a.elements.begin() + static_cast<std::ptrdiff_t>(front));
    for (const auto* side : {&a.elements, &b.elements})
      for (std::size_t at = front; at < side->size(); ++at) elements->push_back(doubtful((*side)[at], reason));
  }
  return {std::move(*elements), true, a.exported || b.exported};
}

const Variable* Variables::find(std::string_view name) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer)
    if (const auto found = layer->find(name); found != layer->end()) return found->second ? &*found->second : nullptr;
  return nullptr;
}

void Variables::set(const std::string& name, Variable value) {
  const Variable* before = find(name);
  value.exported = value.exported || (before != nullptr && before->exported);
  layers_.back()[name] = std::move(value);
}

void Variables::unset(const std::string& name) { layers_.back()[name] = std::nullopt; }

void Variables::mark_exported(const std::string& name) {
  const Variable* before = find(name);
  if (before == nullptr || before->exported) return;
  Variable value = *before;
  value.exported = true;
  layers_.back()[name] = std::move(value);
}

Variables::Layer Variables::pop() {
  Layer layer = std::move(layers_.back());
  layers_.pop_back();
  return layer;
}

void Variables::apply(Layer layer) {
  for (auto& [name, value] : layer) layers_.back()[name] = std::move(value);
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
