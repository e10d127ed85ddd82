#include "tools/config/shell/arithmetic.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "tools/config/shell/lexer.hpp"

namespace spillway::config::shell {
namespace {

using Number = std::optional<std::int64_t>;

constexpr int kMaxDepth = 64;

struct Operator {
  std::string_view text;
  int strength;
};

/// Longest first. `**` binds to the right, the others to the left.
constexpr Operator kOperators[] = {{"**", 13}, {"<<", 10}, {">>", 10}, {"<=", 9}, {">=", 9}, {"==", 8}, {"!=", 8},
                                   {"&&", 4},  {"||", 3},  {"*", 12},  {"/", 12}, {"%", 12}, {"+", 11}, {"-", 11},
                                   {"<", 9},   {">", 9},   {"&", 7},   {"^", 6},  {"|", 5}};
constexpr std::string_view kAssignments[] = {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "="};

Number power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  std::int64_t out = 1;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(out, base, &out)) return std::nullopt;
  return out;
}

Number shifted(std::string_view op, std::int64_t a, std::int64_t b) {
  if (b < 0 || b > 62 || a < 0) return std::nullopt;
  if (op == ">>") return a >> b;
  return a > (std::numeric_limits<std::int64_t>::max() >> b) ? std::nullopt : Number(a << b);
}

Number apply(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &out) ? std::nullopt : Number(out);
  if (op == "-") return __builtin_sub_overflow(a, b, &out) ? std::nullopt : Number(out);
  if (op == "*") return __builtin_mul_overflow(a, b, &out) ? std::nullopt : Number(out);
  if (op == "**") return power(a, b);
  if (op == "<<" || op == ">>") return shifted(op, a, b);
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
  if (op == "&") return a & b;
  if (op == "^") return a ^ b;
  if (op == "|") return a | b;
  return op == "&&" ? a != 0 && b != 0 : a != 0 || b != 0;
}

std::size_t blanks(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')) ++at;
  return at;
}

/// The assignment operator that the text starts with, or nothing.
std::string_view assignment_at(std::string_view text) {
  if (text.starts_with("==")) return {};
  for (const auto op : kAssignments)
    if (text.starts_with(op)) return op;
  return {};
}

class Parser {
 public:
  Parser(std::string_view text, const Recall& recall, const Store& store) : text_(text), recall_(recall), store_(store) {}

  Number parse() {
    if (peek() == '\0') return std::nullopt;
    Number value = ternary(0);
    for (; value && peek() == ','; value = ternary(0)) ++at_;
    return peek() == '\0' ? value : std::nullopt;
  }

 private:
  char peek() {
    at_ += blanks(text_.substr(at_));
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string_view rest() {
    peek();
    return text_.substr(at_);
  }

  /// What bash does not evaluate changes nothing either.
  template <class Parse>
  Number only_if(bool wanted, Parse parse) {
    const bool before = std::exchange(live_, live_ && wanted);
    const Number value = parse();
    live_ = before;
    return value;
  }

  Number ternary(int depth) {
    const Number condition = binary(1, depth);
    if (!condition || peek() != '?') return condition;
    ++at_;
    const Number yes = only_if(*condition != 0, [&] { return ternary(depth + 1); });
    if (!yes || peek() != ':') return std::nullopt;
    ++at_;
    const Number no = only_if(*condition == 0, [&] { return ternary(depth + 1); });
    return *condition != 0 ? yes : no;
  }

  const Operator* operator_here() {
    for (const auto& op : kOperators)
      if (rest().starts_with(op.text)) return &op;
    return nullptr;
  }

  Number binary(int least, int depth) {
    Number left = unary(depth);
    for (const Operator* op = operator_here(); left && op != nullptr && op->strength >= least; op = operator_here()) {
      at_ += op->text.size();
      const bool needed = op->text == "&&" ? *left != 0 : op->text != "||" || *left == 0;
      const Number right = only_if(needed, [&] { return binary(op->text == "**" ? op->strength : op->strength + 1, depth + 1); });
      left = right ? combined(op->text, *left, *right) : std::nullopt;
    }
    return left;
  }

  /// A division that is not carried out cannot fail.
  Number combined(std::string_view op, std::int64_t a, std::int64_t b) const { return live_ ? apply(op, a, b) : Number(0); }

  Number unary(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    const char c = peek();
    const bool step = rest().starts_with("++") || rest().starts_with("--");
    if (step && is_name_char(text_[at_ + 2 < text_.size() ? at_ + 2 : at_])) return stepped_before();
    if (c == '-' || c == '+' || c == '!' || c == '~') {
      ++at_;
      const Number value = unary(depth + 1);
      if (!value) return std::nullopt;
      return c == '-' ? apply("-", 0, *value) : c == '!' ? Number(*value == 0) : c == '~' ? Number(~*value) : value;
    }
    if (c != '(') return atom(depth);
    ++at_;
    const Number value = ternary(depth + 1);
    if (peek() != ')') return std::nullopt;
    ++at_;
    return value;
  }

  Number stepped_before() {
    const std::int64_t step = text_[at_] == '+' ? 1 : -1;
    at_ += 2;
    const std::string_view variable = name();
    return variable.empty() ? std::nullopt : write(variable, changed(variable, "+", step));
  }

  Number atom(int depth) {
    if (peek() >= '0' && peek() <= '9') return number();
    const bool dollar = peek() == '$';
    if (dollar) ++at_;
    const bool braces = at_ < text_.size() && text_[at_] == '{';
    if (braces) ++at_;
    const std::string_view variable = name();
    if (braces && (at_ >= text_.size() || text_[at_++] != '}')) return std::nullopt;
    if (variable.empty() || rest().starts_with("[")) return std::nullopt;
    return dollar ? read(variable) : variable_here(variable, depth);
  }

  /// A variable, read or assigned.
  Number variable_here(std::string_view variable, int depth) {
    if (rest().starts_with("++") || rest().starts_with("--")) {
      const Number before = read(variable);
      const std::int64_t step = text_[at_] == '+' ? 1 : -1;
      at_ += 2;
      return write(variable, changed(variable, "+", step)) ? before : std::nullopt;
    }
    const std::string_view op = assignment_at(rest());
    if (op.empty()) return read(variable);
    at_ += op.size();
    const Number value = ternary(depth + 1);
    if (!value) return std::nullopt;
    return write(variable, op == "=" ? value : changed(variable, op.substr(0, op.size() - 1), *value));
  }

  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Number read(std::string_view variable) const { return live_ ? recall_(variable) : Number(0); }

  Number changed(std::string_view variable, std::string_view op, std::int64_t by) const {
    const Number before = read(variable);
    return before ? combined(op, *before, by) : std::nullopt;
  }

  Number write(std::string_view variable, Number value) const {
    if (!value || !store_) return std::nullopt;
    if (live_) store_(variable, *value);
    return value;
  }

  /// As in C, and `BASE#DIGITS`.
  Number number() {
    int base = 10;
    if (rest().starts_with("0x") || rest().starts_with("0X"))
      base = 16, at_ += 2;
    else if (text_[at_] == '0')
      base = 8;
    auto value = digits(base);
    if (!value || at_ >= text_.size() || text_[at_] != '#') return value;
    if (*value < 2 || *value > 36) return std::nullopt;
    ++at_;
    return digits(static_cast<int>(*value));
  }

  Number digits(int base) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, base);
    if (error != std::errc{}) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return at_ < text_.size() && is_name_char(text_[at_]) ? std::nullopt : Number(value);
  }

  std::string_view text_;
  const Recall& recall_;
  const Store& store_;
  std::size_t at_ = 0;
  bool live_ = true;
};

}  // namespace

std::optional<std::int64_t> evaluate_arithmetic(std::string_view text, const Recall& recall, const Store& store) {
  return Parser(text, recall, store).parse();
}

std::vector<std::string> assigned_in(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_name_char(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_name_char(text[at])) ++at;
    const std::string_view before = text.substr(0, begin);
    std::string_view after = text.substr(at);
    if (after.starts_with("[")) after = after.substr(std::min(after.find(']'), after.size() - 1) + 1);
    after = after.substr(blanks(after));
    const bool changes = after.starts_with("++") || after.starts_with("--") || before.ends_with("++") || before.ends_with("--") ||
                         !assignment_at(after).empty();
    if (changes && (text[begin] < '0' || text[begin] > '9')) out.emplace_back(text.substr(begin, at - begin));
  }
  return out;
}

}  // namespace spillway::config::shell
