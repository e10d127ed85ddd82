#include "tools/config/tables/literal.hpp"

#include <charconv>
#include <limits>
#include <string>

namespace spillway::config::tables {
namespace {

/// Reads one literal after the other from a text.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Value value() {
    if (rest_.empty()) return {};
    switch (rest_.front()) {
      case '"':
        return string();
      case '[':
        return list();
      case '{':
        return map();
      default:
        return scalar();
    }
  }

 private:
  bool skip(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string string() {
    skip('"');
    std::string out;
    while (!rest_.empty() && !skip('"')) {
      const bool escaped = skip('\\');
      if (rest_.empty()) break;
      out += escaped ? unescaped() : rest_.front();
      rest_.remove_prefix(1);
    }
    return out;
  }

  /// The generator leaves only control characters escaped.
  char unescaped() {
    switch (rest_.front()) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      default:
        return rest_.front();
    }
  }

  Value list() {
    skip('[');
    List out;
    while (!rest_.empty() && !skip(']')) {
      out.push_back(value());
      skip(',');
    }
    return out;
  }

  Value map() {
    skip('{');
    Map out;
    while (!rest_.empty() && !skip('}')) {
      std::string key = string();
      skip(':');
      out.emplace_back(std::move(key), value());
      skip(',');
    }
    return out;
  }

  Value scalar() {
    const auto length = std::min(rest_.find_first_of(",]}"), rest_.size());
    // Something must be consumed, or a stray bracket would hold a list for ever.
    const std::string_view word = rest_.substr(0, std::max<std::size_t>(length, 1));
    rest_.remove_prefix(word.size());
    if (word == "true" || word == "false") return word == "true";
    if (word == "Infinity" || word == "-Infinity")
      return word.front() == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return number(word);
  }

  static Value number(std::string_view word) {
    const char* end = word.data() + word.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(word.data(), end, whole); read.ec == std::errc{} && read.ptr == end) return whole;
    double real = 0;
    if (const auto read = std::from_chars(word.data(), end, real); read.ec == std::errc{} && read.ptr == end) return real;
    return {};
  }

  std::string_view rest_;
};

}  // namespace

Value literal(std::string_view text) { return Parser(text).value(); }

}  // namespace spillway::config::tables
