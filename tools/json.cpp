#include "tools/json.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/config/json_problem.hpp"

namespace spillway {
namespace {

using config::List;
using config::Map;
using config::Value;
using nlohmann::ordered_json;

/// Builds a Value from the parser's events, so that no second tree exists.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return put(Value()); }
  bool boolean(bool value) override { return put(Value(value)); }
  bool number_integer(number_integer_t value) override { return put(Value(std::int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override {
    return value <= INT64_MAX ? put(Value(static_cast<std::int64_t>(value))) : put(Value(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, const string_t&) override { return put(Value(value)); }
  bool string(string_t& value) override { return put(Value(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Value(Map{})); }
  bool start_array(std::size_t) override { return open(Value(List{})); }
  bool key(string_t& name) override { return keys_.push_back(std::move(name)), true; }
  bool end_object() override { return keep_last_of_each_name(*stack_.back().map()), close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string place = "byte " + std::to_string(byte);
    error_ = {"bad-json", "not JSON at " + place + ": " + config::json_problem(error.what()), "send one complete JSON value", {}, place};
    return false;
  }

  Result<Value> result(bool ok) && {
    if (ok) return std::move(root_);
    return error_;
  }

 private:
  bool refuse(std::string code, std::string message) {
    return error_ = {std::move(code), std::move(message), "send less in one value"}, false;
  }

  bool put(Value value) {
    if (++count_ > limits_.values) return refuse("too-many-values", "more than " + std::to_string(limits_.values) + " values");
    if (stack_.empty()) {
      root_ = std::move(value);
    } else if (List* list = stack_.back().list()) {
      list->push_back(std::move(value));
    } else {
      stack_.back().map()->emplace_back(std::move(keys_.back()), std::move(value));
      keys_.pop_back();
    }
    return true;
  }

  bool open(Value container) {
    if (stack_.size() >= limits_.depth) return refuse("too-deep", "nested deeper than " + std::to_string(limits_.depth) + " levels");
    return stack_.push_back(std::move(container)), true;
  }

  bool close() {
    Value done = std::move(stack_.back());
    stack_.pop_back();
    return put(std::move(done));
  }

  static void keep_last_of_each_name(Map& map) {
    std::vector<std::pair<std::string_view, std::size_t>> order;
    for (std::size_t i = 0; i < map.size(); ++i) order.emplace_back(map[i].first, i);
    std::sort(order.begin(), order.end());
    std::vector<bool> overridden(map.size(), false);
    bool any = false;
    for (std::size_t i = 1; i < order.size(); ++i)
      if (order[i].first == order[i - 1].first) any = overridden[order[i - 1].second] = true;
    if (!any) return;
    Map kept;
    for (std::size_t i = 0; i < map.size(); ++i)
      if (!overridden[i]) kept.push_back(std::move(map[i]));
    map = std::move(kept);
  }

  const JsonLimits limits_;
  std::size_t count_ = 0;
  std::vector<Value> stack_;
  std::vector<std::string> keys_;
  Value root_;
  Error error_ = {"bad-json", "not JSON", "send one complete JSON value"};
};

std::string escape_of(char32_t code) {
  char text[16];
  if (code > 0xFFFF) {
    code -= 0x10000;
    std::snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xD800 + static_cast<unsigned>(code >> 10),
                  0xDC00 + static_cast<unsigned>(code & 0x3FF));
  } else {
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(code));
  }
  return text;
}

/// What a terminal would obey or hide can only stand inside the texts of a JSON text, where an escape means the same.
std::string with_hidden_escaped(std::string text) {
  const auto suspicious = [](char c) { return static_cast<unsigned char>(c) >= 0x7F; };
  std::size_t at = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), suspicious) - text.begin());
  if (at == text.size()) return text;
  std::string out = text.substr(0, at);
  while (at < text.size()) {
    const std::size_t length = suspicious(text[at]) ? std::max<std::size_t>(1, utf8_length(text, at)) : 1;
    const char32_t code = suspicious(text[at]) ? code_point(text, at, length) : U' ';
    out += is_hidden(code) ? escape_of(code) : text.substr(at, length);
    at += length;
  }
  return out;
}

ordered_json tree(const Value& value) {
  if (const bool* flag = value.boolean()) return *flag;
  if (const auto* number = value.integer()) return *number;
  if (const double* number = value.real()) return *number;
  if (const auto* text = value.string()) return *text;
  if (const auto* unknown = value.unknown()) return unknown->text;
  if (const List* list = value.list()) {
    ordered_json array = ordered_json::array();
    for (const auto& item : *list) array.push_back(tree(item));
    return array;
  }
  if (const Map* map = value.map()) {
    ordered_json object = ordered_json::object();
    for (const auto& [name, item] : *map) object.emplace(name, tree(item));
    return object;
  }
  return nullptr;
}

}  // namespace

Result<Value> parse_json(std::string_view text, const JsonLimits& limits) {
  Builder builder(limits);
  const bool ok = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).result(ok);
}

std::string to_json(const Value& value, bool indented) {
  return with_hidden_escaped(tree(value).dump(indented ? 2 : -1, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace spillway
