#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tools/config/value.hpp"

namespace spillway {

class Fields;

/// Named texts in a fixed order: an object whose members are all strings.
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// A member that has members of its own: one object, one that may be absent, or a list of them.
class Nested {
 public:
  enum class Kind { kOne, kOptional, kList };
  virtual ~Nested() = default;
  virtual Kind kind() const = 0;
  virtual std::size_t size() const = 0;
  /// The members of the object at an index below size().
  virtual Fields at(std::size_t index) = 0;
  /// The members of a default object: what a schema is made of.
  virtual Fields blank() = 0;
};

/// Where a member lives: the closed set of types that an input or an output can have.
using Slot =
    std::variant<bool*, std::optional<bool>*, std::int64_t*, std::optional<std::int64_t>*, double*, std::optional<double>*, std::string*,
                 std::optional<std::string>*, std::vector<std::string>*, Pairs*, config::Map*, std::shared_ptr<Nested>>;

/// Turns a human spelling into the canonical one ("Megatron-Bridge" into "bridge"); nothing when it is not understood.
using Spelling = std::optional<std::string> (*)(std::string_view);

/// One member of an input or an output: its name, what it means, and where it lives. Everything an outsider sees of the
/// member (schema, flag, documentation) follows from this.
struct Field {
  std::string_view name;  ///< snake_case; the JSON name. The flag is the same in kebab-case unless `flag` says otherwise.
  Slot slot;
  std::string_view doc;
  std::vector<std::string_view> choices = {};
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::string_view value_name = {};  ///< What stands for the value in help: FILE, NAME, N.
  std::string_view flag = {};        ///< Without the dashes.
  std::string_view expects = {};     ///< What `spelling` understands, for messages: "a size such as 80GB".
  Spelling spelling = nullptr;
  bool is_required = false;    ///< Of an input: must be given.
  bool is_optional = false;    ///< Of an output: absent when empty.
  bool is_positional = false;  ///< Given without a flag on the command line.
  bool is_words = false;       ///< A list that may also come as one text, split as a shell would.
  bool has_flag = true;        ///< Reachable from the command line.
  bool has_argument = true;    ///< Reachable over a protocol.

  Field& one_of(std::vector<std::string_view> names) { return choices = std::move(names), *this; }
  Field& at_least(double limit) { return minimum = limit, *this; }
  Field& at_most(double limit) { return maximum = limit, *this; }
  Field& takes(std::string_view name_of_value) { return value_name = name_of_value, *this; }
  Field& as_flag(std::string_view name_of_flag) { return flag = name_of_flag, *this; }
  Field& reads(Spelling function, std::string_view what = {}) { return spelling = function, expects = what, *this; }
  Field& required() { return is_required = true, *this; }
  Field& optional() { return is_optional = true, *this; }
  Field& positional(std::string_view name_of_value) { return is_positional = true, value_name = name_of_value, *this; }
  Field& words() { return is_words = true, *this; }
  Field& no_flag() { return has_flag = false, *this; }
  Field& flag_only() { return has_argument = false, *this; }
};

/// The members of one object, in order. A type takes part by a function `void fields(Fields&, T&)` beside it that names
/// each member once.
/// Lifetime: points into the object; use it while the object lives and stays where it is.
/// Example:
///   void fields(Fields& f, Args& args) {
///     f("world_size", args.world_size, "Number of GPUs of the run.").at_least(1).takes("N");
///   }
class Fields {
 public:
  /// Adds a member; the returned field takes the refinements.
  /// Lifetime: the reference is good until the next member is added.
  template <class T>
  Field& operator()(std::string_view name, T& member, std::string_view doc) {
    list_.push_back(Field{name, slot_of(member), doc});
    return list_.back();
  }

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  const Field* find(std::string_view name) const;

 private:
  template <class T>
  static Slot slot_of(T& member);

  std::vector<Field> list_;
};

/// The members of an object whose type has a `fields` function.
template <class T>
Fields fields_of(T& object) {
  Fields list;
  fields(list, object);
  return list;
}

namespace detail {

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
class NestedOne final : public Nested {
 public:
  explicit NestedOne(T& object) : object_(object) {}
  Kind kind() const override { return Kind::kOne; }
  std::size_t size() const override { return 1; }
  Fields at(std::size_t) override { return fields_of(object_); }
  Fields blank() override { return fields_of(blank_); }

 private:
  T& object_;
  T blank_{};
};

template <class T>
class NestedOptional final : public Nested {
 public:
  explicit NestedOptional(std::optional<T>& object) : object_(object) {}
  Kind kind() const override { return Kind::kOptional; }
  std::size_t size() const override { return object_ ? 1 : 0; }
  Fields at(std::size_t) override { return fields_of(*object_); }
  Fields blank() override { return fields_of(blank_); }

 private:
  std::optional<T>& object_;
  T blank_{};
};

template <class T>
class NestedList final : public Nested {
 public:
  explicit NestedList(std::vector<T>& objects) : objects_(objects) {}
  Kind kind() const override { return Kind::kList; }
  std::size_t size() const override { return objects_.size(); }
  Fields at(std::size_t index) override { return fields_of(objects_[index]); }
  Fields blank() override { return fields_of(blank_); }

 private:
  std::vector<T>& objects_;
  T blank_{};
};

template <class T>
std::shared_ptr<Nested> nest(T& member) {
  if constexpr (kIsVector<T>) {
    return std::make_shared<NestedList<typename T::value_type>>(member);
  } else if constexpr (kIsOptional<T>) {
    return std::make_shared<NestedOptional<typename T::value_type>>(member);
  } else {
    return std::make_shared<NestedOne<T>>(member);
  }
}

}  // namespace detail

template <class T>
Slot Fields::slot_of(T& member) {
  if constexpr (std::is_constructible_v<Slot, std::in_place_type_t<T*>, T*>) {
    return Slot(std::in_place_type<T*>, &member);
  } else {
    return detail::nest(member);
  }
}

/// `cpu_offloading` for a member named so: `cpu-offloading`, or the flag it states.
std::string flag_of(const Field& field);
/// True for a list or an object of texts: the flag may be repeated.
bool repeats(const Field& field);
/// True for a switch: the flag takes no value.
bool is_switch(const Field& field);

}  // namespace spillway
