#include "tools/config/shell/balance.hpp"

#include <string>

namespace spillway::config::shell {
namespace {

/// A stack of what must still be closed; no recursion, so that a deep nest is harmless.
class Balance {
 public:
  explicit Balance(std::string_view text) : text_(text) {}

  std::size_t end(std::size_t begin) {
    at_ = begin;
    open();
    while (!open_.empty() && at_ < text_.size()) step();
    return open_.empty() && at_ <= text_.size() ? at_ : std::string_view::npos;
  }

 private:
  void open() {
    if (text_[at_] == '`') return push('`', 1);
    const std::size_t bracket = text_[at_] == '(' ? at_ : at_ + 1;
    push(bracket < text_.size() && text_[bracket] == '{' ? '}' : ')', bracket - at_ + 1);
  }

  void push(char closer, std::size_t length) {
    open_ += closer;
    at_ += length;
  }

  void step() {
    const char c = text_[at_];
    const char top = open_.back();
    if (c == '\\') {
      at_ += 2;
    } else if (c == top) {
      open_.pop_back();
      ++at_;
    } else if (c == '$' && at_ + 1 < text_.size() && (text_[at_ + 1] == '(' || text_[at_ + 1] == '{')) {
      open();
    } else if (top == '"') {
      c == '`' ? push('`', 1) : void(++at_);
    } else {
      step_outside_quotes(c, top);
    }
  }

  void step_outside_quotes(char c, char top) {
    if (c == '"' || c == '`') return push(c, 1);
    if (c == '(' && top == ')') return push(')', 1);
    if (c == '\'' && top != '}') {
      const std::size_t close = text_.find('\'', at_ + 1);
      at_ = close == std::string_view::npos ? text_.size() : close + 1;
      return;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;
};

}  // namespace

std::size_t balanced_end(std::string_view text, std::size_t begin) { return Balance(text).end(begin); }

}  // namespace spillway::config::shell
