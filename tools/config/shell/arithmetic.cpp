#include "tools/config/shell/arithmetic.hpp"

#include <cctype>
#include <charconv>
#include <limits>

namespace spillway::config::shell {
namespace {

using Number = std::optional<std::int64_t>;

constexpr int kMaxDepth = 64;

struct Operator {
  std::string_view text;
  int strength;
};

/// Longest first. `**` binds to the right, the others to the left.
constexpr Operator kOperators[] = {{"**", 10}, {"<=", 6}, {">=", 6}, {"==", 5}, {"!=", 5}, {"&&", 2}, {"||", 1},
                                   {"*", 9},   {"/", 9},  {"%", 9},  {"+", 8},  {"-", 8},  {"<", 6},  {">", 6}};

Number power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::int64_t out = 1;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(out, base, &out)) return std::nullopt;
  return out;
}

Number apply(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &out) ? std::nullopt : Number(out);
  if (op == "-") return __builtin_sub_overflow(a, b, &out) ? std::nullopt : Number(out);
  if (op == "*") return __builtin_mul_overflow(a, b, &out) ? std::nullopt : Number(out);
  if (op == "**") return power(a, b);
  if (op == "/" || op == "%") {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return std::nullopt;
    return op == "/" ? a / b : a % b;
  }
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  return op == "&&" ? a != 0 && b != 0 : a != 0 || b != 0;
}

class Parser {
 public:
  Parser(std::string_view text, const std::function<Number(std::string_view)>& variable) : text_(text), variable_(variable) {}

  Number parse() {
    const Number value = ternary(0);
    return peek() == '\0' ? value : std::nullopt;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Number ternary(int depth) {
    const Number condition = binary(1, depth);
    if (!condition || peek() != '?') return condition;
    ++at_;
    const Number yes = ternary(depth + 1);
    if (peek() != ':') return std::nullopt;
    ++at_;
    const Number no = ternary(depth + 1);
    return *condition != 0 ? yes : no;
  }

  const Operator* operator_here() {
    peek();
    for (const auto& op : kOperators)
      if (text_.substr(at_).starts_with(op.text)) return &op;
    return nullptr;
  }

  Number binary(int least, int depth) {
    Number left = unary(depth);
    for (const Operator* op = operator_here(); left && op != nullptr && op->strength >= least; op = operator_here()) {
      at_ += op->text.size();
      const Number right = binary(op->text == "**" ? op->strength : op->strength + 1, depth + 1);
      left = right ? apply(op->text, *left, *right) : std::nullopt;
    }
    return left;
  }

  Number unary(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    const char c = peek();
    if (c == '-' || c == '+' || c == '!') {
      ++at_;
      const Number value = unary(depth + 1);
      if (!value) return std::nullopt;
      return c == '-' ? apply("-", 0, *value) : c == '!' ? Number(*value == 0) : value;
    }
    if (c != '(') return atom();
    ++at_;
    const Number value = ternary(depth + 1);
    if (peek() != ')') return std::nullopt;
    ++at_;
    return value;
  }

  Number atom() {
    if (peek() >= '0' && peek() <= '9') return number();
    if (peek() == '$') ++at_;
    const bool braces = at_ < text_.size() && text_[at_] == '{';
    if (braces) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (braces && (at_ >= text_.size() || text_[at_++] != '}')) return std::nullopt;
    return name.empty() ? std::nullopt : variable_(name);
  }

  Number number() {
    int base = 10;
    if (text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X")) base = 16, at_ += 2;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, base);
    if (error != std::errc{}) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string_view text_;
  const std::function<Number(std::string_view)>& variable_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> evaluate_arithmetic(std::string_view text,
                                                const std::function<std::optional<std::int64_t>(std::string_view name)>& variable) {
  return Parser(text, variable).parse();
}

}  // namespace spillway::config::shell
