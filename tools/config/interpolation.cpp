#include "tools/config/interpolation.hpp"

#include "base/text.hpp"
#include "tools/config/scalars.hpp"

namespace spillway::config {
namespace {

/// References lead to references; so many and no more.
constexpr int kMaxSteps = 8;
/// A text made of other texts stays short.
constexpr std::size_t kMaxBytes = 4096;

const Node* node_at(const Node& root, std::string_view path) {
  const Node* node = &root;
  for (const auto part : split(path, '.')) {
    node = node->find(part);
    if (node == nullptr) return nullptr;
  }
  return node;
}

/// The path from the root that a reference means: each leading dot is one level up from the text itself.
std::string absolute(std::string_view path, std::string_view reference) {
  if (!reference.starts_with(".")) return std::string(reference);
  while (reference.starts_with(".")) {
    reference.remove_prefix(1);
    const auto dot = path.rfind('.');
    path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  }
  return path.empty() ? std::string(reference) : std::string(path) + "." + std::string(reference);
}

class Resolver {
 public:
  explicit Resolver(const Node& root) : root_(root) {}

  Value text(std::string_view path, std::string_view written) {
    const Value whole = whole_reference(path, written);
    if (!whole.is_null() || only_reference(written)) return whole;
    std::string out;
    for (std::string_view rest = written; !rest.empty();) {
      const auto open = rest.find("${");
      out += rest.substr(0, open);
      if (open == std::string_view::npos) break;
      const auto close = rest.find('}', open);
      if (close == std::string_view::npos) return Unknown{std::string(written), "a reference without its closing brace"};
      const Value part = reference(path, rest.substr(open + 2, close - open - 2));
      if (part.is_unknown()) return Unknown{std::string(written), part.unknown()->reason};
      out += part.str();
      if (out.size() > kMaxBytes) return Unknown{std::string(written), "it grows too long"};
      rest.remove_prefix(close + 1);
    }
    return out;
  }

 private:
  static bool only_reference(std::string_view text) {
    return text.starts_with("${") && text.ends_with("}") && text.find('}') == text.size() - 1 &&
           text.find("${", 2) == std::string_view::npos;
  }
  /// Null when the text is more than one reference.
  Value whole_reference(std::string_view path, std::string_view written) {
    if (!only_reference(written)) return Null{};
    Value value = reference(path, written.substr(2, written.size() - 3));
    if (value.is_unknown()) return Unknown{std::string(written), value.unknown()->reason};
    return value;
  }
  Value reference(std::string_view path, std::string_view name) {
    const std::string shown = "${" + std::string(name) + "}";
    if (name.find_first_of(":${}") != std::string_view::npos) return Unknown{shown, "a resolver computes it when the run starts"};
    if (++steps_ > kMaxSteps) return Unknown{shown, "it refers to itself or through too many steps"};
    const std::string target = absolute(path, name);
    const Node* node = node_at(root_, target);
    if (node == nullptr) return Unknown{shown, "the key " + target + " is not in this file"};
    if (node->kind == Node::Kind::kNull) return Null{};
    if (node->kind != Node::Kind::kScalar) return Unknown{shown, target + " is not a single value"};
    if (node->text.size() > kMaxBytes) return Unknown{shown, "it grows too long"};
    if (has_interpolation(node->text)) return text(target, node->text);
    return node->quoted ? Value(node->text) : resolve_plain(node->text);
  }

  const Node& root_;
  int steps_ = 0;
};

}  // namespace

bool has_interpolation(std::string_view text) { return text.find("${") != std::string_view::npos; }

Value interpolate(const Node& root, std::string_view path, std::string_view text) { return Resolver(root).text(path, text); }

}  // namespace spillway::config
