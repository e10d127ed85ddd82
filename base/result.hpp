#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace spillway {

/// Something the user can act on: what is wrong, where, and what to do.
struct Error {
  std::string code;              ///< Stable word for scripts, e.g. `file-not-found`.
  std::string message;           ///< What is wrong and where, one sentence.
  std::string hint;              ///< What to do about it; may be empty.
  std::vector<Error> also = {};  ///< What else is wrong, where several things were looked at.
  std::string where = {};        ///< The place alone: a file, `file:line:column`, an option; empty where the message has no place.
};

/// A value, or the error that explains why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace spillway
