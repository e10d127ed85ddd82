#include "tools/config/shell/glob.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::size_t kMaxText = 4096;

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_supported(std::string_view pattern, std::string_view text) {
  return pattern.size() <= kMaxText && text.size() <= kMaxText && pattern.find_first_of("[]\\()") == std::string_view::npos;
}

}  // namespace

std::optional<bool> matches_glob(std::string_view pattern, std::string_view text) {
  if (!is_supported(pattern, text)) return std::nullopt;
  return matches(pattern, text);
}

std::optional<std::string_view> without_affix(std::string_view text, std::string_view pattern, std::string_view op) {
  if (!is_supported(pattern, text)) return std::nullopt;
  const bool longest = op.size() == 2;
  for (std::size_t step = 0; step <= text.size(); ++step) {
    const std::size_t length = longest ? text.size() - step : step;
    if (op[0] == '%' && matches(pattern, text.substr(text.size() - length))) return text.substr(0, text.size() - length);
    if (op[0] == '#' && matches(pattern, text.substr(0, length))) return text.substr(length);
  }
  return text;
}

}  // namespace spillway::config::shell
