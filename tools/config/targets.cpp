#include "tools/config/targets.hpp"

#include <algorithm>
#include <array>

#include "tools/config/scalars.hpp"

namespace spillway::config {
namespace {

const Node* scalar_member(const Node& node, std::string_view key) {
  const Node* member = node.find(key);
  return member != nullptr && member->kind == Node::Kind::kScalar ? member : nullptr;
}

bool says(const Node& node, std::string_view key, bool wanted) {
  const Node* member = scalar_member(node, key);
  if (member == nullptr || member->quoted) return false;
  const Value value = resolve_plain(member->text);
  return value.boolean() != nullptr && *value.boolean() == wanted;
}

/// The only argument of a call, such as a path's text.
const Node* only_argument(const Node& node) {
  const Node* arguments = node.find("_args_");
  if (arguments == nullptr || arguments->kind != Node::Kind::kSequence || arguments->entries.size() != 1) return nullptr;
  const Node* argument = arguments->entries.front().node;
  return argument->kind == Node::Kind::kScalar ? argument : nullptr;
}

}  // namespace

bool is_target(const Node& node) { return scalar_member(node, "_target_") != nullptr; }

bool is_object(const Node& node) {
  if (says(node, "_call_", false) || says(node, "_partial_", true)) return false;
  return scalar_member(node, "_name_") == nullptr && only_argument(node) == nullptr;
}

Value target_value(const Node& node) {
  if (const Node* name = scalar_member(node, "_name_")) return name->text;
  const Node* argument = says(node, "_partial_", true) ? nullptr : only_argument(node);
  if (argument == nullptr || says(node, "_call_", false)) return node.find("_target_")->text;
  return argument->quoted ? Value(argument->text) : resolve_plain(argument->text);
}

bool is_dtype_name(std::string_view text) {
  constexpr std::string_view kPrefix = "torch.";
  constexpr std::array<std::string_view, 12> kNames = {"float32", "float16", "bfloat16", "float64", "float8_e4m3fn", "float8_e5m2",
                                                       "uint8",   "int8",    "int16",    "int32",   "int64",         "bool"};
  return text.starts_with(kPrefix) && std::find(kNames.begin(), kNames.end(), text.substr(kPrefix.size())) != kNames.end();
}

}  // namespace spillway::config
