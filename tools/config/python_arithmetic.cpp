#include "tools/config/python_arithmetic.hpp"

#include <cmath>

#include "tools/config/python_literals.hpp"
#include "tools/config/scalars.hpp"

namespace spillway::config {
namespace {

/// Texts joined stay short.
constexpr std::size_t kMaxText = 4096;

std::optional<double> real_of(const Value& value) {
  if (const auto* number = value.integer()) return static_cast<double>(*number);
  if (const double* number = value.real()) return *number;
  if (const bool* flag = value.boolean()) return *flag ? 1.0 : 0.0;
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(const Value& value) {
  if (const auto* number = value.integer()) return *number;
  if (const bool* flag = value.boolean()) return *flag ? 1 : 0;
  return std::nullopt;
}

std::optional<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0 || exponent > 63) return std::nullopt;
  std::int64_t out = 1;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(out, base, &out)) return std::nullopt;
  return out;
}

/// Rounds towards minus infinity, as Python does; the remainder has the sign of the divisor.
std::optional<std::int64_t> floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::optional<std::int64_t> integers(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  if (op == "-") return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  if (op == "*") return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
  if (op == "**") return power(a, b);
  if (op == "<<") {
    const auto factor = power(2, b);
    return factor && !__builtin_mul_overflow(a, *factor, &out) ? std::optional(out) : std::nullopt;
  }
  if (op == ">>") return b < 0 || b > 62 ? std::nullopt : std::optional(a >> b);
  const auto quotient = floor_divide(a, b);
  if (!quotient || op == "//") return quotient;
  return op == "%" ? std::optional(a - *quotient * b) : std::nullopt;
}

std::optional<Value> reals(std::string_view op, double a, double b) {
  if (op == "+") return Value(a + b);
  if (op == "-") return Value(a - b);
  if (op == "*") return Value(a * b);
  if (op == "/" && b != 0) return Value(a / b);
  if (op == "//" && b != 0) return Value(std::floor(a / b));
  if (op == "**" && (a > 0 || (a < 0 && b == std::floor(b)))) return Value(std::pow(a, b));
  return std::nullopt;
}

}  // namespace

std::optional<Value> python_binary(std::string_view op, const Value& left, const Value& right) {
  if (op == "+" && left.string() != nullptr && right.string() != nullptr && left.string()->size() + right.string()->size() <= kMaxText)
    return Value(*left.string() + *right.string());
  const auto a = integer_of(left), b = integer_of(right);
  if (a && b && op != "/") {
    const auto out = integers(op, *a, *b);
    return out ? std::optional<Value>(*out) : std::nullopt;
  }
  const auto x = real_of(left), y = real_of(right);
  return x && y ? reals(op, *x, *y) : std::nullopt;
}

std::optional<Value> python_unary(std::string_view op, const Value& operand) {
  if (op == "not") return operand.is_unknown() ? std::nullopt : std::optional<Value>(!operand.truthy());
  const auto number = integer_of(operand);
  if (op == "+") return number ? std::optional<Value>(*number) : operand.real() != nullptr ? std::optional(operand) : std::nullopt;
  if (op != "-") return std::nullopt;
  if (const double* real = operand.real()) return Value(-*real);
  return number ? python_binary("-", Value(0), Value(*number)) : std::nullopt;
}

std::optional<Value> python_number(std::string_view text) {
  const bool based = text.size() > 2 && text[0] == '0' && std::string_view("xXbBoO").find(text[1]) != std::string_view::npos;
  if (based) {
    const Value value = resolve_plain(text);
    return value.integer() != nullptr ? std::optional(value) : std::nullopt;
  }
  if (auto number = python_int(text)) return number;
  if (const auto real = python_float(text)) return Value(*real);
  return std::nullopt;
}

}  // namespace spillway::config
