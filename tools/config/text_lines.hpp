#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "tools/config/train_config.hpp"

namespace spillway::config {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A text by its lines, for those who change it in place. All places are byte offsets.
/// Lifetime: the text must outlive it.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}

  std::string_view view() const { return text_; }
  std::string_view cut(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }
  /// The whole text with a part replaced.
  std::string with(std::size_t begin, std::size_t end, std::string_view replacement) const {
    return std::string(text_.substr(0, begin)) + std::string(replacement) + std::string(text_.substr(std::min(end, text_.size())));
  }

  /// Where something stands; nothing when its place is not known.
  std::optional<std::size_t> offset(const Origin& origin) const {
    if (origin.line <= 0 || origin.column <= 0) return std::nullopt;
    std::size_t at = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    for (int line = 1; line < origin.line; ++line) {
      at = text_.find('\n', at);
      if (at == std::string_view::npos) return std::nullopt;
      ++at;
    }
    at += static_cast<std::size_t>(origin.column) - 1;
    return at < text_.size() ? std::optional(at) : std::nullopt;
  }

  std::size_t line_begin(std::size_t at) const {
    const auto newline = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
  }
  /// At the newline, or at the end of the text.
  std::size_t line_end(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }
  /// Past the newline.
  std::size_t past_line(std::size_t at) const { return std::min(line_end(at) + 1, text_.size()); }
  /// What stands on the line before this place.
  std::string_view before(std::size_t at) const { return cut(line_begin(at), at); }
  /// What stands on the line behind this place.
  std::string_view behind(std::size_t at) const { return cut(at, line_end(at)); }

 private:
  std::string_view text_;
};

}  // namespace spillway::config
