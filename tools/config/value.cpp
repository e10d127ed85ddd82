#include "tools/config/value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace spillway::config {
namespace {

/// Python's repr of a float: the shortest text that reads back equal.
std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[40];
  for (int precision = 1; precision <= 17; ++precision) {
    std::snprintf(text, sizeof text, "%.*g", precision, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  std::string out = text;
  // Python switches to an exponent below 1e-4 and from 1e16 on; %g does so from its precision on.
  if (out.find('e') != std::string::npos && std::abs(value) >= 1e-4 && std::abs(value) < 1e16) {
    std::snprintf(text, sizeof text, "%.1f", value);
    out = text;
  }
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == quote || c == '\\') out += '\\';
    out += c;
  }
  return out + quote;
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  if (const Map* entries = map())
    for (const auto& [name, value] : *entries)
      if (name == key) return &value;
  return nullptr;
}

bool Value::truthy() const {
  if (const bool* flag = boolean()) return *flag;
  if (const auto* number = integer()) return *number != 0;
  if (const double* number = real()) return *number != 0;
  if (const auto* text = string()) return !text->empty();
  if (const List* items = list()) return !items->empty();
  if (const Map* entries = map()) return !entries->empty();
  return false;
}

bool Value::holds_unknown() const {
  if (const List* items = list()) return std::any_of(items->begin(), items->end(), [](const Value& item) { return item.holds_unknown(); });
  if (const Map* entries = map())
    return std::any_of(entries->begin(), entries->end(), [](const auto& entry) { return entry.second.holds_unknown(); });
  return is_unknown();
}

std::string Value::str() const { return string() ? *string() : repr(); }

std::string Value::repr() const {
  if (is_null()) return "None";
  if (const bool* flag = boolean()) return *flag ? "True" : "False";
  if (const auto* number = integer()) return std::to_string(*number);
  if (const double* number = real()) return float_repr(*number);
  if (const auto* text = string()) return quoted(*text);
  if (const Unknown* open = unknown()) return open->text;
  std::string out;
  if (const List* items = list()) {
    for (const auto& item : *items) out += (out.empty() ? "" : ", ") + item.repr();
    return "[" + out + "]";
  }
  for (const auto& [key, value] : *map()) out += (out.empty() ? "" : ", ") + quoted(key) + ": " + value.repr();
  return "{" + out + "}";
}

std::string_view Value::type_name() const {
  constexpr std::string_view names[] = {"NoneType", "bool", "int", "float", "str", "list", "dict", "unknown"};
  return names[state_.index()];
}

}  // namespace spillway::config
