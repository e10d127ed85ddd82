#include "tools/config/shell/text.hpp"

#include <algorithm>

namespace spillway::config::shell {

void Text::append(std::string_view part, std::size_t offset) {
  if (part.empty()) return;
  const bool continues = !parts_.empty() && parts_.back().offset + (text_.size() - parts_.back().begin) == offset;
  if (!continues) parts_.push_back({text_.size(), offset});
  text_ += part;
}

void Text::append(const Text& from, std::size_t begin, std::size_t length) {
  const std::size_t end = std::min(begin + length, from.size());
  const auto after = std::upper_bound(from.parts_.begin(), from.parts_.end(), begin,
                                      [](std::size_t value, const Part& part) { return value < part.begin; });
  for (auto next = after; begin < end; ++next) {
    const std::size_t stop = next == from.parts_.end() ? end : std::min(end, next->begin);
    append(from.view().substr(begin, stop - begin), from.origin(begin));
    begin = stop;
    if (next == from.parts_.end()) break;
  }
}

std::size_t Text::origin(std::size_t at) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), at, [](std::size_t value, const Part& part) { return value < part.begin; });
  if (after == parts_.begin()) return at;
  const Part& part = *(after - 1);
  return part.offset + (at - part.begin);
}

std::size_t Text::contiguous(std::size_t at) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), at, [](std::size_t value, const Part& part) { return value < part.begin; });
  return (after == parts_.end() ? text_.size() : after->begin) - at;
}

Lines::Lines(std::string_view file) : starts_{0} {
  for (std::size_t at = file.find('\n'); at != std::string_view::npos; at = file.find('\n', at + 1)) starts_.push_back(at + 1);
}

Origin Lines::origin(std::size_t offset, std::string spelling) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::size_t line = static_cast<std::size_t>(next - starts_.begin());
  Origin origin;
  origin.line = static_cast<int>(line);
  origin.column = static_cast<int>(offset - starts_[line - 1] + 1);
  origin.spelling = std::move(spelling);
  return origin;
}

Error syntax_error(const Lines& lines, std::size_t offset, const std::string& what) {
  const Origin place = lines.origin(offset);
  return {"bad-syntax", "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + what,
          "close what is open there, or give only the part that holds the arguments"};
}

}  // namespace spillway::config::shell
