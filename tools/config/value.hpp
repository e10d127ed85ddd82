#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace spillway::config {

class Value;
using List = std::vector<Value>;
/// Keys in the order they were written.
using Map = std::vector<std::pair<std::string, Value>>;

/// A value that reading alone cannot resolve: a shell variable nobody sets, a Python expression.
struct Unknown {
  std::string text;    ///< As written, e.g. `${TP}`.
  std::string reason;  ///< Why it cannot be resolved, e.g. `the shell variable TP is not set in this script`.
  bool operator==(const Unknown&) const = default;
};

struct Null {
  bool operator==(const Null&) const = default;
};

/// One configuration value, as Python would hold it. torch dtypes are strings (`torch.bfloat16`), enum members their name,
/// functions and classes their dotted path.
class Value {
 public:
  Value() = default;
  Value(Null) {}
  Value(bool value) : state_(value) {}
  Value(std::int64_t value) : state_(value) {}
  Value(int value) : state_(std::int64_t{value}) {}
  Value(double value) : state_(value) {}
  Value(std::string value) : state_(std::move(value)) {}
  Value(std::string_view value) : state_(std::string(value)) {}
  Value(const char* value) : state_(std::string(value)) {}
  Value(List value) : state_(std::move(value)) {}
  Value(Map value) : state_(std::move(value)) {}
  Value(Unknown value) : state_(std::move(value)) {}

  bool is_null() const { return std::holds_alternative<Null>(state_); }
  bool is_unknown() const { return std::holds_alternative<Unknown>(state_); }
  const bool* boolean() const { return std::get_if<bool>(&state_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&state_); }
  const double* real() const { return std::get_if<double>(&state_); }
  const std::string* string() const { return std::get_if<std::string>(&state_); }
  const List* list() const { return std::get_if<List>(&state_); }
  const Map* map() const { return std::get_if<Map>(&state_); }
  const Unknown* unknown() const { return std::get_if<Unknown>(&state_); }
  List* list() { return std::get_if<List>(&state_); }
  Map* map() { return std::get_if<Map>(&state_); }

  /// The member of a map, or nullptr (also when this is no map).
  const Value* find(std::string_view key) const;
  /// Python's truth of the value: 0, 0.0, "", [], {}, None and False are false. An unknown value counts as false.
  bool truthy() const;
  /// The value as Python prints it with str(): `True`, `None`, `[1, 2]`, `core_attn`.
  std::string str() const;
  /// As repr(): strings are quoted.
  std::string repr() const;
  /// `NoneType`, `bool`, `int`, `float`, `str`, `list`, `dict`; `unknown` for Unknown.
  std::string_view type_name() const;

  /// It is Unknown, or something in it is.
  bool holds_unknown() const;

  bool operator==(const Value&) const = default;

 private:
  std::variant<Null, bool, std::int64_t, double, std::string, List, Map, Unknown> state_;
};

}  // namespace spillway::config
