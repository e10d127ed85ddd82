#include "tools/schema.hpp"

#include <cmath>

namespace spillway {
namespace {

using config::List;
using config::Map;
using config::Value;

enum class Direction { kInput, kOutput };

Value object_schema(const Fields& fields, Direction direction);

Map text_schema() { return {{"type", "string"}}; }

Map type_of(bool*, Direction) { return {{"type", "boolean"}}; }
Map type_of(std::int64_t*, Direction) { return {{"type", "integer"}}; }
Map type_of(double*, Direction) { return {{"type", "number"}}; }
Map type_of(std::string*, Direction) { return text_schema(); }
Map type_of(std::vector<std::string>*, Direction) { return {{"type", "array"}, {"items", Value(text_schema())}}; }
Map type_of(Pairs*, Direction) { return {{"type", "object"}, {"additionalProperties", Value(text_schema())}}; }
Map type_of(Map*, Direction) { return {{"type", "object"}}; }

template <class T>
Map type_of(std::optional<T>*, Direction direction) {
  return type_of(static_cast<T*>(nullptr), direction);
}

Map type_of(const std::shared_ptr<Nested>& nested, Direction direction) {
  Value object = object_schema(nested->blank(), direction);
  if (nested->kind() != Nested::Kind::kList) return *object.map();
  return {{"type", "array"}, {"items", std::move(object)}};
}

/// Whole limits are written as integers: `1`, not `1.0`.
Value limit(double number) { return number == std::floor(number) ? Value(static_cast<std::int64_t>(number)) : Value(number); }

/// A default that says something: texts, numbers and switches that are not empty.
std::optional<Value> default_of(const Field& field) {
  if (const auto* text = std::get_if<std::string*>(&field.slot); text && !(**text).empty()) return Value(**text);
  if (const auto* number = std::get_if<std::int64_t*>(&field.slot)) return Value(**number);
  if (const auto* number = std::get_if<double*>(&field.slot)) return Value(**number);
  if (const auto* flag = std::get_if<bool*>(&field.slot)) return Value(**flag);
  return std::nullopt;
}

Value field_schema(const Field& field, Direction direction) {
  Map schema = std::visit([&](const auto& slot) { return type_of(slot, direction); }, field.slot);
  schema.insert(schema.begin() + 1, {"description", Value(field.doc)});
  if (!field.choices.empty() && !repeats(field)) schema.emplace_back("enum", Value(List(field.choices.begin(), field.choices.end())));
  if (field.minimum) schema.emplace_back("minimum", limit(*field.minimum));
  if (field.maximum) schema.emplace_back("maximum", limit(*field.maximum));
  if (direction == Direction::kInput)
    if (auto value = default_of(field)) schema.emplace_back("default", std::move(*value));
  return Value(std::move(schema));
}

bool may_be_absent(const Field& field) {
  if (field.is_optional) return true;
  if (const auto* nested = std::get_if<std::shared_ptr<Nested>>(&field.slot)) return (*nested)->kind() == Nested::Kind::kOptional;
  return std::holds_alternative<std::optional<bool>*>(field.slot) || std::holds_alternative<std::optional<std::int64_t>*>(field.slot) ||
         std::holds_alternative<std::optional<double>*>(field.slot) || std::holds_alternative<std::optional<std::string>*>(field.slot);
}

Value object_schema(const Fields& fields, Direction direction) {
  Map properties;
  List required;
  for (const auto& field : fields) {
    if (!field.has_argument) continue;
    properties.emplace_back(field.name, field_schema(field, direction));
    if (direction == Direction::kInput ? field.is_required : !may_be_absent(field)) required.emplace_back(field.name);
  }
  Map schema = {{"type", "object"}, {"properties", Value(std::move(properties))}};
  if (!required.empty()) schema.emplace_back("required", Value(std::move(required)));
  if (direction == Direction::kInput) schema.emplace_back("additionalProperties", Value(false));
  return Value(std::move(schema));
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
  return out;
}

std::string flag_cell(const Field& field) {
  if (!field.has_flag) return "";
  if (field.is_positional) return "`" + std::string(field.value_name) + (repeats(field) ? "…`" : "`");
  const std::string value = is_switch(field) ? "" : " " + std::string(field.value_name.empty() ? "VALUE" : field.value_name);
  return "`--" + flag_of(field) + cell(value) + "`" + (repeats(field) ? "…" : "");
}

}  // namespace

Value input_schema(const Fields& fields) { return object_schema(fields, Direction::kInput); }

Value output_schema(const Fields& fields) { return object_schema(fields, Direction::kOutput); }

std::string type_words(const Field& field) {
  std::string names;
  for (const auto choice : field.choices) names += (names.empty() ? "one of " : ", ") + std::string(choice);
  return names;
}

std::string input_table(const Fields& fields) {
  std::string out = "| argument | flag | meaning |\n|---|---|---|\n";
  for (const auto& field : fields) {
    const std::string choices = type_words(field);
    out += "| " + (field.has_argument ? "`" + std::string(field.name) + "`" : "") + " | " + flag_cell(field) + " | " + cell(field.doc) +
           (choices.empty() ? "" : " (" + choices + ")") + " |\n";
  }
  return out;
}

}  // namespace spillway
