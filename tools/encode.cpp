#include "tools/encode.hpp"

#include <optional>

namespace spillway {
namespace {

using config::Value;

std::optional<Value> value_of(bool* slot) { return Value(*slot); }
std::optional<Value> value_of(std::int64_t* slot) { return Value(*slot); }
std::optional<Value> value_of(double* slot) { return Value(*slot); }
std::optional<Value> value_of(std::string* slot) { return Value(*slot); }
std::optional<Value> value_of(config::Map* slot) { return Value(*slot); }

std::optional<Value> value_of(std::vector<std::string>* slot) { return Value(config::List(slot->begin(), slot->end())); }

std::optional<Value> value_of(Pairs* slot) {
  config::Map map;
  for (const auto& [name, text] : *slot) map.emplace_back(name, Value(text));
  return Value(std::move(map));
}

template <class T>
std::optional<Value> value_of(std::optional<T>* slot) {
  if (!*slot) return std::nullopt;
  return Value(**slot);
}

std::optional<Value> value_of(const std::shared_ptr<Nested>& nested) {
  if (nested->kind() != Nested::Kind::kList) {
    if (nested->size() == 0) return std::nullopt;
    return Value(encode(nested->at(0)));
  }
  config::List list;
  for (std::size_t i = 0; i < nested->size(); ++i) list.emplace_back(encode(nested->at(i)));
  return Value(std::move(list));
}

bool is_empty(const Value& value) {
  return (value.string() && value.string()->empty()) || (value.list() && value.list()->empty()) || (value.map() && value.map()->empty());
}

std::optional<Value> value_of(const Field& field) {
  return std::visit([](const auto& slot) { return value_of(slot); }, field.slot);
}

}  // namespace

config::Map encode(const Fields& fields) {
  config::Map out;
  for (const auto& field : fields) {
    auto value = value_of(field);
    if (value && !(field.is_optional && is_empty(*value))) out.emplace_back(field.name, std::move(*value));
  }
  return out;
}

config::Map encode_stated(const Fields& fields, const Fields& defaults) {
  config::Map out;
  for (const auto& field : fields) {
    auto value = value_of(field);
    const Field* other = defaults.find(field.name);
    if (value && !(other != nullptr && value_of(*other) == value)) out.emplace_back(field.name, std::move(*value));
  }
  return out;
}

}  // namespace spillway
