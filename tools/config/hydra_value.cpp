#include "tools/config/hydra_value.hpp"

#include "base/text.hpp"
#include "tools/config/python_literals.hpp"

namespace spillway::config {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::string_view kLoose = "/-\\+.$%*@?|: \t";  ///< Besides letters, digits and the underscore: what needs no quotes.
constexpr std::string_view kEscapable = "\\()[]{}:=, \t";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view unsigned_part(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

/// `0`, or digits without a leading zero; single underscores between them.
bool is_int(std::string_view text) {
  const auto digits = unsigned_part(text);
  if (digits.empty() || (digits[0] == '0' && digits.size() > 1)) return false;
  return digits.find_first_not_of("0123456789_") == std::string_view::npos && python_int(text).has_value();
}

bool is_float(std::string_view text) {
  const auto number = unsigned_part(text);
  if (iequals(number, "nan") || iequals(number, "inf")) return true;
  if (number.empty() || number.find_first_not_of("0123456789_.eE+-") != std::string_view::npos) return false;
  if (number.size() > 1 && number[0] == '0' && (is_digit(number[1]) || number[1] == '_')) return false;
  return python_float(text).has_value();
}

Value plain(std::string_view text) {
  if (iequals(text, "true")) return true;
  if (iequals(text, "false")) return false;
  if (iequals(text, "null")) return Null{};
  if (is_int(text)) return *python_int(text);
  if (is_float(text)) return *python_float(text);
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  HydraValue parse() {
    skip_blanks();
    if (done()) return {Value(""), "", false, false};
    HydraValue out;
    out.quoted = peek() == '\'' || peek() == '"';
    out.value = element(0);
    while (problem_.empty() && !done() && peek() == ',') {
      out.sweep = true;
      ++at_;
      element(0);
    }
    if (!done()) fail("unexpected `" + std::string(1, peek()) + "`");
    if (out.sweep) out.value = Unknown{std::string(text_), "an unbracketed comma asks for one run for each value"};
    out.problem = problem_;
    if (!problem_.empty()) out.value = Unknown{std::string(text_), problem_};
    return out;
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[at_]; }
  void skip_blanks() {
    while (!done() && (peek() == ' ' || peek() == '\t')) ++at_;
  }

  Value fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return {};
  }

  Value element(int depth) {
    if (depth > kMaxDepth) return fail("lists nested too deeply");
    skip_blanks();
    Value value;
    if (peek() == '[')
      value = list(depth);
    else if (peek() == '{')
      value = dict(depth);
    else if (peek() == '\'' || peek() == '"')
      value = quoted();
    else
      value = word();
    skip_blanks();
    return value;
  }

  Value list(int depth) {
    List items;
    ++at_;
    skip_blanks();
    while (peek() != ']' && problem_.empty()) {
      if (!items.empty() && peek() != ',') return fail(done() ? "a list that is not closed" : "a comma is missing in a list");
      if (!items.empty()) ++at_;
      items.push_back(element(depth + 1));
    }
    if (done()) return fail("a list that is not closed");
    ++at_;
    return items;
  }

  Value dict(int depth) {
    Map entries;
    ++at_;
    skip_blanks();
    while (peek() != '}' && problem_.empty()) {
      if (!entries.empty() && peek() != ',') return fail(done() ? "a dict that is not closed" : "a comma is missing in a dict");
      if (!entries.empty()) ++at_;
      skip_blanks();
      const std::size_t begin = at_;
      while (is_word(peek()) || (peek() != ':' && !done() && kLoose.find(peek()) != std::string_view::npos)) ++at_;
      std::string key(trim(text_.substr(begin, at_ - begin)));
      if (peek() != ':' || key.empty()) return fail(done() ? "a dict that is not closed" : "a dict entry without `key:`");
      ++at_;
      Value value = element(depth + 1);
      entries.emplace_back(std::move(key), std::move(value));
    }
    if (done()) return fail("a dict that is not closed");
    ++at_;
    return entries;
  }

  /// A backslash is one, except in a row before a quote: there two are one, and an odd one keeps the quote from closing.
  Value quoted() {
    const char quote = text_[at_++];
    std::string out;
    while (!done() && peek() != quote) {
      std::size_t slashes = 0;
      while (peek() == '\\') ++slashes, ++at_;
      const bool before_quote = peek() == quote;
      out.append(before_quote ? slashes / 2 : slashes, '\\');
      if (slashes == 0 || (before_quote && slashes % 2 == 1)) out += text_[at_++];
    }
    if (done()) return fail("a quote that is not closed");
    ++at_;
    return out;
  }

  Value word() {
    const std::size_t begin = at_;
    std::string out;
    bool escaped = false, open = false;
    for (; !done(); ++at_) {
      if (text_.substr(at_).starts_with("${")) {
        const std::size_t end = interpolation_end();
        if (end == std::string_view::npos) return fail("an interpolation that is not closed");
        open = true;
        at_ = end - 1;
      } else if (peek() == '\\' && at_ + 1 < text_.size() && kEscapable.find(text_[at_ + 1]) != std::string_view::npos) {
        escaped = true;
        out += text_[++at_];
      } else if (is_word(peek()) || kLoose.find(peek()) != std::string_view::npos) {
        out += peek();
      } else {
        break;
      }
    }
    const auto written = trim(text_.substr(begin, at_ - begin));
    if (peek() == '(' && !written.empty()) return function(begin);
    if (written.empty()) return fail(done() ? "a value is missing" : "unexpected `" + std::string(1, peek()) + "`");
    if (open) return Unknown{std::string(written), "an interpolation is resolved when the run starts"};
    return escaped ? Value(trim(out)) : plain(trim(out));
  }

  std::size_t interpolation_end() const {
    int depth = 0;
    for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
      if (text_[at] == '{') ++depth;
      if (text_[at] == '}' && --depth == 0) return at + 1;
    }
    return std::string_view::npos;
  }

  /// `choice(1,2)`, `range(4)`, `int(x)`: what they give is decided by Hydra.
  Value function(std::size_t begin) {
    int depth = 0;
    for (; !done(); ++at_) {
      if (peek() == '(') ++depth;
      if (peek() != ')' || --depth > 0) continue;
      ++at_;
      return Unknown{std::string(text_.substr(begin, at_ - begin)), "Hydra computes this value"};
    }
    return fail("a parenthesis that is not closed");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
};

}  // namespace

HydraValue parse_hydra_value(std::string_view text) { return Parser(text).parse(); }

}  // namespace spillway::config
