#include "tools/config/python_tokens.hpp"

#include <algorithm>
#include <cstdint>

namespace spillway::config {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

/// The hexadecimal number of `digits` digits at the front of a text; nothing when there are fewer, or when it is no character.
std::optional<std::uint32_t> hex(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  std::uint32_t code = 0;
  for (const char c : text.substr(0, digits)) {
    const auto at = std::string_view("0123456789abcdefABCDEF").find(c);
    if (at == std::string_view::npos) return std::nullopt;
    code = code * 16 + static_cast<std::uint32_t>(at > 15 ? at - 6 : at);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return std::nullopt;
  return code;
}

/// The text a string literal holds. An escape that Python does not know stays as it is written.
std::string unescaped(std::string_view body) {
  constexpr std::string_view kFrom = "ntr\\'\"abfv0", kTo("\n\t\r\\'\"\a\b\f\v\0", 11);
  std::string out;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '\\' || at + 1 == body.size()) {
      out += body[at];
      continue;
    }
    const char c = body[++at];
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    const auto code = digits == 0 ? std::nullopt : hex(body.substr(at + 1), digits);
    if (code) {
      append_utf8(out, *code);
      at += digits;
    } else if (const auto known = kFrom.find(c); known != std::string_view::npos) {
      out += kTo[known];
    } else if (c != '\n') {
      (out += '\\') += c;
    }
  }
  return out;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::size_t limit) : text_(text), limit_(limit) {}

  std::vector<PythonLine> lines() {
    start_line();
    while (at_ < text_.size()) step();
    if (!open_.empty()) throw SyntaxError{open_.back(), "a bracket that is never closed"};
    finish_statement();
    return std::move(lines_);
  }

 private:
  Place place(std::size_t at) const { return {line_, static_cast<int>(at - line_start_) + 1}; }

  void new_line(std::size_t at) {
    ++line_;
    line_start_ = at + 1;
  }

  void start_line() {
    int indent = 0;
    for (; at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\f'); ++at_)
      indent = text_[at_] == '\t' ? indent / 8 * 8 + 8 : indent + 1;
    current_.indent = indent;
  }

  void finish_statement() {
    const int indent = current_.indent;
    if (!current_.tokens.empty()) lines_.push_back(std::move(current_));
    current_ = {};
    current_.indent = indent;
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') return end_of_line();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') return void(++at_);
    if (c == '#') return void(at_ = std::min(text_.find('\n', at_), text_.size()));
    if (c == '\\' && continues()) return;
    if (c == ';' && open_.empty()) return ++at_, finish_statement();
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (c == '"' || c == '\'') return string(at_, {});
    op();
  }

  void end_of_line() {
    new_line(at_++);
    if (!open_.empty()) return;
    finish_statement();
    start_line();
  }

  bool continues() {
    std::size_t next = at_ + 1;
    if (next < text_.size() && text_[next] == '\r') ++next;
    if (next >= text_.size() || text_[next] != '\n') return false;
    new_line(next);
    at_ = next + 1;
    return true;
  }

  PythonToken& push(PythonToken::Kind kind, std::size_t begin, Place where, std::string text) {
    if (++count_ > limit_) throw SyntaxError{where, "more than " + std::to_string(limit_) + " tokens"};
    PythonToken& token = current_.tokens.emplace_back();
    token.kind = kind;
    token.text = std::move(text);
    token.place = where;
    token.begin = begin;
    token.end = at_;
    return token;
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    const bool prefix = name.size() <= 2 && name.find_first_not_of("rRbBuUfF") == std::string_view::npos;
    if (prefix && at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) return string(begin, name);
    push(PythonToken::Kind::kName, begin, place(begin), std::string(name));
  }

  void number() {
    const std::size_t begin = at_;
    const bool hexadecimal = text_[at_] == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X');
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool exponent = !hexadecimal && (c == '+' || c == '-') && at_ > begin && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_digit(c) && !is_letter(c) && c != '.' && !exponent) break;
      ++at_;
    }
    push(PythonToken::Kind::kNumber, begin, place(begin), std::string(text_.substr(begin, at_ - begin)));
  }

  /// `at_` stands on the quote, `begin` on the prefix.
  void string(std::size_t begin, std::string_view prefix) {
    const Place where = place(begin);
    const char quote = text_[at_];
    const std::string triple(3, quote);
    const bool is_triple = text_.substr(at_, 3) == triple;
    const bool raw = prefix.find_first_of("rR") != std::string_view::npos;
    const std::size_t body = at_ + (is_triple ? 3 : 1);
    std::size_t end = body;
    for (;; ++end) {
      if (end >= text_.size() || (text_[end] == '\n' && !is_triple)) throw SyntaxError{where, "a string that is never closed"};
      if (text_[end] == '\n') new_line(end);
      if (text_[end] == '\\' && end + 1 < text_.size()) {
        if (text_[++end] == '\n') new_line(end);
        continue;
      }
      if (is_triple ? text_.substr(end, 3) == triple : text_[end] == quote) break;
    }
    at_ = end + (is_triple ? 3 : 1);
    const auto written = text_.substr(body, end - body);
    PythonToken& token = push(PythonToken::Kind::kString, begin, where, raw ? std::string(written) : unescaped(written));
    token.formatted = prefix.find_first_of("fF") != std::string_view::npos && written.find('{') != std::string_view::npos;
  }

  void op() {
    constexpr std::string_view kLong[] = {"**=", "//=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", "->", ":=", "+=",
                                          "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "**", "//", "<<", ">>"};
    const std::size_t begin = at_;
    std::size_t length = 1;
    for (const auto candidate : kLong)
      if (length == 1 && text_.substr(at_, candidate.size()) == candidate) length = candidate.size();
    at_ += length;
    const char c = text_[begin];
    if (c == '(' || c == '[' || c == '{') {
      open_.push_back(place(begin));
      if (open_.size() > kMaxDepth) throw SyntaxError{open_.back(), "brackets nested deeper than " + std::to_string(kMaxDepth) + " levels"};
    }
    if ((c == ')' || c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    push(PythonToken::Kind::kOperator, begin, place(begin), std::string(text_.substr(begin, length)));
  }

  std::string_view text_;
  std::size_t limit_;
  std::size_t count_ = 0;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  std::vector<Place> open_;
  PythonLine current_;
  std::vector<PythonLine> lines_;
};

}  // namespace

std::vector<PythonLine> python_lines(std::string_view text, std::size_t limit) { return Lexer(text, limit).lines(); }

}  // namespace spillway::config
