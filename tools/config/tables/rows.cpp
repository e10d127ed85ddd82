#include "tools/config/tables/rows.hpp"

namespace spillway::config::tables {

std::string_view take(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const std::string_view word = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return word;
}

std::vector<std::string_view> words(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) out.push_back(take(text, separator));
  return out;
}

std::vector<std::string_view> data_lines(const char* begin, const char* end) {
  std::string_view rest(begin, static_cast<std::size_t>(end - begin));
  std::vector<std::string_view> out;
  out.reserve(rest.size() / 64);
  while (!rest.empty())
    if (const auto line = take(rest, '\n'); !line.empty() && line.front() != '#') out.push_back(line);
  return out;
}

}  // namespace spillway::config::tables
