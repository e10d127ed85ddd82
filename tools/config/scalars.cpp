#include "tools/config/scalars.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/text.hpp"

namespace spillway::config {
namespace {

template <std::size_t N>
bool any_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string without_underscores(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '_') out += c;
  return out;
}

/// Digits of one base; nothing when there are none or others.
std::optional<Value> integer(std::string_view digits, int base, bool negative) {
  const std::string clean = without_underscores(digits);
  if (clean.empty() || digits.front() == '_') return std::nullopt;
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(clean.data(), clean.data() + clean.size(), magnitude, base);
  if (end != clean.data() + clean.size()) return std::nullopt;
  constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (error == std::errc::result_out_of_range || magnitude > kLimit + (negative ? 1 : 0)) {
    if (base != 10) return std::nullopt;
    const double real = std::strtod(clean.c_str(), nullptr);
    return Value(negative ? -real : real);
  }
  return Value(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude));
}

/// `digits[.digits][e[+-]digits]` with at least one digit, and a dot or an exponent.
bool is_float(std::string_view text) {
  std::size_t at = 0, digits = 0;
  const auto run = [&] {
    for (; at < text.size() && (is_digit(text[at]) || (digits > 0 && text[at] == '_')); ++at) digits += is_digit(text[at]);
  };
  run();
  const bool dot = at < text.size() && text[at] == '.';
  if (dot) ++at;
  run();
  if (digits == 0) return false;
  if (at == text.size()) return dot;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  return at < text.size() && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_digit);
}

std::optional<Value> number(std::string_view text) {
  const bool negative = text.front() == '-';
  std::string_view rest = text;
  if (negative || text.front() == '+') rest.remove_prefix(1);
  if (rest.empty()) return std::nullopt;
  if (any_of<3>(rest, {".inf", ".Inf", ".INF"})) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return Value(negative ? -kInfinity : kInfinity);
  }
  if (any_of<3>(text, {".nan", ".NaN", ".NAN"})) return Value(std::numeric_limits<double>::quiet_NaN());
  if (!is_digit(rest.front()) && rest.front() != '.') return std::nullopt;
  if (rest.starts_with("0x")) return integer(rest.substr(2), 16, negative);
  if (rest.starts_with("0b")) return integer(rest.substr(2), 2, negative);
  if (is_float(rest)) return Value((negative ? -1.0 : 1.0) * std::strtod(without_underscores(rest).c_str(), nullptr));
  const bool octal = rest.size() > 1 && rest.front() == '0';
  return integer(rest, octal ? 8 : 10, negative);
}

/// In doubt a text is quoted; quoting more than needed harms nobody.
bool may_stand_plain(std::string_view text) {
  if (text.empty() || text.size() > 120 || is_yaml11_boolean(text) || !resolve_plain(text).string()) return false;
  const auto word = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (!word(text.front()) && text.front() != '/' && text.front() != '.') return false;
  if (text == "..." || text == ".") return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return word(c) || c == '.' || c == '/' || c == '-' || c == '+'; });
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

/// Python's text of a float, with the dot that YAML 1.1 insists on.
std::string float_text(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  std::string text = Value(value).repr();
  const auto exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

}  // namespace

std::string double_quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (is_control(c)) {
      out += "\\x";
      out += kHex[(c >> 4) & 0xF];
      out += kHex[c & 0xF];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::optional<std::string> flow_text(const Value& value, std::optional<std::string> (*item)(const Value&),
                                     std::string (*key)(std::string_view)) {
  std::string out;
  const auto add = [&](const std::string& before, const Value& inner) {
    const auto text = item(inner);
    if (text) out += (out.empty() ? "" : ", ") + before + *text;
    return text.has_value();
  };
  if (const List* items = value.list()) {
    for (const auto& inner : *items)
      if (!add({}, inner)) return std::nullopt;
    return "[" + out + "]";
  }
  for (const auto& [name, inner] : value.map() != nullptr ? *value.map() : Map{})
    if (!add(key(name) + ": ", inner)) return std::nullopt;
  return "{" + out + "}";
}

Value resolve_plain(std::string_view text) {
  if (text.empty() || any_of<4>(text, {"~", "null", "Null", "NULL"})) return Null{};
  if (any_of<3>(text, {"true", "True", "TRUE"})) return true;
  if (any_of<3>(text, {"false", "False", "FALSE"})) return false;
  const char first = text.front();
  if (is_digit(first) || first == '.' || first == '-' || first == '+')
    if (auto value = number(text)) return *value;
  return text;
}

bool is_yaml11_boolean(std::string_view text) {
  return any_of<16>(text, {"y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"});
}

std::optional<bool> yaml11_boolean(std::string_view text) {
  if (any_of<6>(text, {"yes", "Yes", "YES", "on", "On", "ON"})) return true;
  if (any_of<6>(text, {"no", "No", "NO", "off", "Off", "OFF"})) return false;
  return std::nullopt;
}

bool is_yaml11_float(std::string_view text) {
  const auto exponent = text.find_first_of("eE");
  if (exponent == std::string_view::npos) return true;
  const bool sign = exponent + 1 < text.size() && (text[exponent + 1] == '+' || text[exponent + 1] == '-');
  return sign && text.substr(0, exponent).find('.') != std::string_view::npos;
}

bool is_boolean_word(std::string_view text) { return iequals(text, "true") || iequals(text, "false"); }

std::string yaml_string(std::string_view text) {
  if (may_stand_plain(text)) return std::string(text);
  return std::any_of(text.begin(), text.end(), is_control) ? double_quoted(text) : single_quoted(text);
}

std::optional<std::string> yaml_text(const Value& value) {
  if (value.is_null()) return "null";
  if (const bool* flag = value.boolean()) return *flag ? "true" : "false";
  if (const double* real = value.real()) return float_text(*real);
  if (const auto* text = value.string()) return yaml_string(*text);
  if (value.list() != nullptr || value.map() != nullptr) return flow_text(value, yaml_text, yaml_string);
  if (value.is_unknown()) return std::nullopt;
  return value.repr();
}

}  // namespace spillway::config
