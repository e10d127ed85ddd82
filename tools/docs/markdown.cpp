#include "tools/docs/markdown.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace spillway::docs {
namespace {

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::size_t longest_run(std::string_view text, char mark) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == mark ? run + 1 : 0);
  return longest;
}

}  // namespace

std::string prose(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool inside = at > 0 && at + 1 < text.size() && is_alphanumeric(text[at - 1]) && is_alphanumeric(text[at + 1]);
    if (c == '<' || c == '*' || (c == '_' && !inside)) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) {
  const std::size_t run = longest_run(text, '`');
  const std::string fence(run + 1, '`'), pad(run > 0 ? 1 : 0, ' ');
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return fence + pad + line + pad + fence;
}

std::string block(std::string_view text, std::string_view language) {
  const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
  return fence + std::string(language) + "\n" + std::string(trim(text)) + "\n" + fence + "\n";
}

std::string section(std::string_view title, std::string_view text) {
  return text.empty() ? "" : "\n## " + std::string(title) + "\n\n" + std::string(text) + (text.ends_with('\n') ? "" : "\n");
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : prose(text)) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out.front() >= 'a' && out.front() <= 'z' && out.substr(0, out.find(' ')).find_first_of("_.-=") == std::string::npos)
    out.front() = static_cast<char>(out.front() - 'a' + 'A');
  return out.ends_with('.') ? out : out + ".";
}

}  // namespace spillway::docs
