#include "tools/validate/upstream/python_source.hpp"

#include <algorithm>

namespace spillway::validate::upstream {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

/// The letters before a string's quote.
struct Prefix {
  bool valid = true;
  bool raw = false;
  bool formatted = false;
};

Prefix prefix_of(std::string_view word) {
  Prefix out;
  out.valid = word.size() <= 2;
  for (const char c : word) {
    const char letter = static_cast<char>(c | 0x20);
    out.raw = out.raw || letter == 'r';
    out.formatted = out.formatted || letter == 'f' || letter == 't';
    out.valid = out.valid && std::string_view("rbuft").find(letter) != std::string_view::npos;
  }
  return out;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  PythonSource scan() && {
    while (at_ < text_.size()) token();
    finish();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool done() const { return at_ >= text_.size(); }

  /// Passes one character, keeping count of lines and code.
  void pass() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      out_.lines.push_back(out_.code.size());
    } else if (!is_blank(c)) {
      out_.code += is_quote(c) ? '"' : c;
    }
  }

  void token() {
    const char c = peek();
    if (c == '#') return comment();
    if (c == '\n') return line_end();
    if (is_blank(c)) return pass();
    if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) return continuation();
    if (is_quote(c)) return string({});
    if (is_word(c)) return word();
    if (c == '+' && open_) return pass();
    finish();
    bracket(c);
    pass();
  }

  void comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void line_end() {
    if (depth_ == 0) finish();
    pass();
  }

  void continuation() {
    ++at_;
    if (peek() == '\r') ++at_;
    if (peek() == '\n') pass();
  }

  void bracket(char c) {
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
  }

  void word() {
    const std::size_t begin = at_;
    while (!done() && is_word(text_[at_])) ++at_;
    const auto letters = text_.substr(begin, at_ - begin);
    const Prefix prefix = prefix_of(letters);
    const bool is_string = is_quote(peek()) && prefix.valid;
    if (!is_string) finish();
    out_.code += letters;
    if (is_string) string(prefix);
  }

  /// What is collected of a string ends here.
  void finish() {
    if (open_) out_.strings.push_back(std::move(current_));
    current_ = {};
    open_ = false;
  }

  void string(const Prefix& prefix) {
    if (!open_) current_.line = line_;
    open_ = true;
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    for (int i = 0; i < (triple ? 3 : 1); ++i) pass();
    while (!done()) {
      const char c = peek();
      if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        for (int i = 0; i < (triple ? 3 : 1); ++i) pass();
        return;
      }
      if (c == '\n' && !triple) return;  // It never ends: no Python.
      if (c == '\\')
        escape(prefix.raw);
      else if (c == '{' && prefix.formatted)
        brace(triple);
      else
        character(c, prefix.formatted);
    }
  }

  void character(char c, bool formatted) {
    if (c == '}' && formatted && peek(1) == '}') pass();
    current_.text += c;
    pass();
  }

  void escape(bool raw) {
    pass();
    if (done()) return;
    const char c = peek();
    if (raw)
      current_.text += {'\\', c};
    else if (c == 'n' || c == 't' || c == 'r')
      current_.text += ' ';
    else if (c != '\n')
      current_.text += c;
    pass();
  }

  void brace(bool triple) {
    pass();
    if (peek() == '{') {
      current_.text += '{';
      return pass();
    }
    const std::size_t begin = at_;
    placeholder(triple);
    const auto content = text_.substr(begin, at_ > begin ? at_ - begin - 1 : 0);
    if (shows_itself(content)) current_.text += content;
    current_.text += kHole;
  }

  /// `{name=}` prints the expression before its value.
  static bool shows_itself(std::string_view content) {
    return content.size() > 1 && content.back() == '=' &&
           std::string_view("=!<>").find(content[content.size() - 2]) == std::string_view::npos;
  }

  /// To the brace that closes it, whatever is nested in between.
  void placeholder(bool triple) {
    for (int depth = 1; !done();) {
      const char c = peek();
      if (c == '\n' && !triple) return;
      if (c == '\\' && at_ + 1 < text_.size()) pass();
      if (is_quote(c) && nested_string()) continue;
      if (c == '{' || c == '(' || c == '[') ++depth;
      if (c == '}' || c == ')' || c == ']') --depth;
      pass();
      if (depth == 0) return;
    }
  }

  /// Passes a string that ends on its line; a quote without a fellow is left alone.
  bool nested_string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != text_[at_] && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] == '\n') return false;
    while (at_ <= end) pass();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int depth_ = 0;  ///< Of brackets: inside them a line end means nothing.
  bool open_ = false;
  PythonSource::String current_;
  PythonSource out_;
};

/// Where a placeholder that begins here ends; 0 when none does.
std::size_t braces(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 200;  // Bytes; a longer one is a dictionary or a set.
  const std::size_t end = text.find_first_of("{}\n", at + 1);
  return end == std::string_view::npos || text[end] != '}' || end - at > kLongest ? 0 : end + 1;
}

std::size_t percent(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 60;  // Bytes of a name.
  std::size_t end = at + 1;
  if (end < text.size() && text[end] == '(') {
    const std::size_t length = text.substr(end, kLongest).find(')');
    if (length == std::string_view::npos) return 0;
    end += length + 1;
  }
  while (end < text.size() && (text[end] == '.' || (text[end] >= '0' && text[end] <= '9'))) ++end;
  const bool conversion = end < text.size() && std::string_view("sdrifgex").find(text[end]) != std::string_view::npos;
  return conversion && (end + 1 == text.size() || !is_word(text[end + 1])) ? end + 1 : 0;
}

void add_hole(std::string& out) {
  if (out.empty() || out.back() != kHole) out += kHole;
}

}  // namespace

int PythonSource::line_at(std::size_t offset) const {
  return 1 + static_cast<int>(std::upper_bound(lines.begin(), lines.end(), offset) - lines.begin());
}

PythonSource read_python(std::string_view text) { return Scanner(text).scan(); }

std::string squeezed(std::string_view code) { return read_python(code).code; }

std::string wording(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t end = c == '{' ? braces(text, at) : c == '%' ? percent(text, at) : c == kHole ? at + 1 : 0;
    if (end > 0)
      add_hole(out);
    else if (!is_blank(c) && c != '\n')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
    at = std::max(end, at + 1);
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace spillway::validate::upstream
