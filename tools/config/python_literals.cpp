#include "tools/config/python_literals.hpp"

#include <charconv>
#include <string>

#include "base/text.hpp"

namespace spillway::config {
namespace {

constexpr std::size_t kMaxElements = 100'000;
constexpr int kMaxDepth = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text without the underscores between digits; nothing when one stands elsewhere.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) return std::nullopt;
  }
  return out;
}

/// from_chars takes no plus sign.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

/// Grammar: sum = term ('+' term)*; term = atom ('*' integer)*; atom = '(' sum ')' | '[' integers ']' | integer '*' atom.
class IntListParser {
 public:
  explicit IntListParser(std::string_view text) : text_(text) {}

  std::optional<List> parse() {
    auto list = sum(0);
    return list && peek() == '\0' ? list : std::nullopt;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::optional<std::int64_t> integer() {
    peek();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::optional<List> sum(int depth) {
    auto list = term(depth);
    while (list && take('+')) {
      const auto more = term(depth);
      if (!more || list->size() + more->size() > kMaxElements) return std::nullopt;
      list->insert(list->end(), more->begin(), more->end());
    }
    return list;
  }

  std::optional<List> term(int depth) {
    auto list = atom(depth);
    while (list && take('*')) {
      const auto times = integer();
      if (!times) return std::nullopt;
      list = repeated(*list, *times);
    }
    return list;
  }

  static std::optional<List> repeated(const List& list, std::int64_t times) {
    if (times > static_cast<std::int64_t>(kMaxElements) || (times > 0 && list.size() * static_cast<std::size_t>(times) > kMaxElements))
      return std::nullopt;
    List out;
    for (std::int64_t i = 0; i < times; ++i) out.insert(out.end(), list.begin(), list.end());
    return out;
  }

  std::optional<List> atom(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    if (take('(')) {
      auto list = sum(depth + 1);
      return list && take(')') ? list : std::nullopt;
    }
    if (take('[')) return integers();
    const auto times = integer();
    if (!times || !take('*')) return std::nullopt;
    const auto list = atom(depth + 1);
    return list ? repeated(*list, *times) : std::nullopt;
  }

  std::optional<List> integers() {
    List out;
    while (!take(']')) {
      if (!out.empty() && !take(',')) return std::nullopt;
      if (!out.empty() && take(']')) return out;
      const auto value = integer();
      if (!value || out.size() >= kMaxElements) return std::nullopt;
      out.emplace_back(*value);
    }
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Value> python_int(std::string_view text) {
  const auto plain = without_underscores(trim(text));
  if (!plain) return std::nullopt;
  const std::string_view digits = without_plus(*plain);
  if (digits.empty() || digits.find_first_not_of("0123456789", digits[0] == '-' ? 1 : 0) != std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) return Value(python_float(digits).value_or(0));
  return error == std::errc{} && end == digits.data() + digits.size() ? std::optional<Value>(value) : std::nullopt;
}

std::optional<double> python_float(std::string_view text) {
  const auto plain = without_underscores(trim(text));
  if (!plain) return std::nullopt;
  const std::string_view number = without_plus(*plain);
  const std::string_view magnitude = number.starts_with('-') ? number.substr(1) : number;
  if (iequals(magnitude, "nan") || iequals(magnitude, "inf") || iequals(magnitude, "infinity")) {
    const double value = std::strtod(std::string(number).c_str(), nullptr);
    return value;
  }
  if (magnitude.empty() || (!is_digit(magnitude[0]) && magnitude[0] != '.')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (end != number.data() + number.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::strtod(std::string(number).c_str(), nullptr) : value;
}

std::optional<List> python_int_list(std::string_view text) { return IntListParser(text).parse(); }

}  // namespace spillway::config
