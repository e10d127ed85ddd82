#include "base/text.hpp"
#include "tools/config/hydra_value.hpp"

namespace spillway::config {
namespace {

/// Single quotes, as parse_hydra_value reads them.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  std::size_t slashes = 0;
  for (const char c : text) {
    if (c == '\'') out.append(slashes + 1, '\\');
    slashes = c == '\\' ? slashes + 1 : 0;
    out += c;
  }
  out.append(slashes, '\\');
  return out + "'";
}

std::optional<std::string> string_text(const std::string& text) {
  if (!text.empty() && trim(text) == text && text.find_first_of("\\$,()[]{}") == std::string::npos) {
    const HydraValue bare = parse_hydra_value(text);
    if (bare.problem.empty() && bare.value == Value(text)) return text;
  }
  return in_quotes(text);
}

std::string bracketed(char open, const std::vector<std::string>& parts, char close) {
  std::string out(1, open);
  out += join(parts, ",");
  out += close;
  return out;
}

std::optional<std::string> dict_text(const Map& entries) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : entries) {
    const auto text = hydra_text(value);
    const bool plain_key =
        !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == std::string::npos;
    if (!text || !plain_key) return std::nullopt;
    parts.push_back(key + ':' + *text);
  }
  return bracketed('{', parts, '}');
}

}  // namespace

std::optional<std::string> hydra_text(const Value& value) {
  if (value.is_unknown()) return std::nullopt;
  if (value.is_null()) return "null";
  if (const auto* text = value.string()) return string_text(*text);
  if (const Map* entries = value.map()) return dict_text(*entries);
  const List* items = value.list();
  if (items == nullptr) return value.boolean() ? (*value.boolean() ? "true" : "false") : value.repr();
  std::vector<std::string> parts;
  for (const auto& item : *items) {
    auto text = hydra_text(item);
    if (!text) return std::nullopt;
    parts.push_back(std::move(*text));
  }
  return bracketed('[', parts, ']');
}

}  // namespace spillway::config
