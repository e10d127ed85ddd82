#include "tools/validate/render/snippet.hpp"

#include <algorithm>
#include <cctype>

#include "base/secrets.hpp"
#include "base/text.hpp"
#include "base/visible.hpp"

namespace spillway::validate::render {
namespace {

constexpr std::size_t kWindow = 110;  // Columns of a source line that are shown.

const config::Source* source_of(const config::Origin& origin, const config::TrainConfig& config) {
  const auto index = static_cast<std::size_t>(origin.source);
  return origin.source < 0 || index >= config.sources.size() ? nullptr : &config.sources[index];
}

/// Line `number`, from 1; nothing when the text has fewer.
std::string_view line_of(std::string_view text, int number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, std::min(text.find('\n'), text.find('\r')));
}

/// A secret may have been announced some lines before; so far one looks back for that.
constexpr std::size_t kLookedBack = 64u << 10;

/// A line of a text, its secrets masked.
std::string without_secrets(std::string_view text, std::string_view line) {
  const auto begin = static_cast<std::size_t>(line.empty() ? 0 : line.data() - text.data());
  const std::size_t from = begin > kLookedBack ? text.find('\n', begin - kLookedBack) + 1 : 0;  // npos + 1 is 0
  return masked(text.substr(std::min(from, begin), begin + line.size() - std::min(from, begin))).substr(begin - std::min(from, begin));
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

/// Where a mark begins and how far it reaches, in bytes of a line.
struct Span {
  std::size_t begin = 0;
  std::size_t length = 1;
};

/// The word at the column; the last part of the spelling when the column is not known.
Span marked(std::string_view line, const config::Origin& origin) {
  Span span;
  if (origin.column > 0) {
    span.begin = std::min(static_cast<std::size_t>(origin.column) - 1, line.size());
  } else {
    const auto found = line.find(origin.spelling);
    if (origin.spelling.empty() || found == std::string_view::npos) return {0, 0};
    span.begin = found;
  }
  std::size_t end = span.begin;
  while (end < line.size() && is_word(line[end])) ++end;
  span.length = std::max<std::size_t>(1, end - span.begin);
  return span;
}

/// The part of a line that is shown, and the mark within it.
struct Cut {
  std::string before, marked, after;
};

Cut cut(std::string_view line, Span span) {
  std::size_t begin = span.begin > kWindow / 2 && line.size() > kWindow ? span.begin - kWindow / 2 : 0;
  while (begin > 0 && (static_cast<unsigned char>(line[begin]) & 0xC0) == 0x80) --begin;
  const std::size_t end = std::min(line.size(), begin + kWindow);
  span.length = std::min(span.length, end - std::min(end, span.begin));
  Cut out{visible_line(line.substr(begin, span.begin - begin)), visible_line(line.substr(span.begin, span.length)), {}};
  out.after = visible_line(line.substr(span.begin + span.length, end - span.begin - span.length));
  if (begin > 0) out.before = "…" + out.before;
  if (end < line.size()) out.after += "…";
  return out;
}

}  // namespace

std::string place(const config::Origin& origin, const config::TrainConfig& config) {
  const auto* source = source_of(origin, config);
  if (source == nullptr) return "";
  std::string out = visible_line(source->name);
  if (origin.line > 0) out += ":" + std::to_string(origin.line);
  if (origin.line > 0 && origin.column > 0) out += ":" + std::to_string(origin.column);
  return out;
}

std::string snippet(const config::Origin& origin, const config::TrainConfig& config, const Style& style) {
  const auto* source = source_of(origin, config);
  if (source == nullptr || origin.line <= 0) return "";
  const std::string line = without_secrets(source->text, line_of(source->text, origin.line));
  if (trim(line).empty()) return "";
  const Cut shown = cut(line, marked(line, origin));
  const std::string number = std::to_string(origin.line), blank(number.size(), ' ');
  const auto faint = [&](const std::string& text) { return paint(style, Ink::kBlue, text); };
  std::string out = faint(blank + " |") + "\n";
  out += faint(number + " |") + " " + shown.before + shown.marked + shown.after + "\n";
  const std::size_t width = columns(shown.marked);
  out += faint(blank + " |");
  if (width > 0) out += " " + std::string(columns(shown.before), ' ') + paint(style, Ink::kRed, std::string(width, '^'));
  return out + "\n";
}

}  // namespace spillway::validate::render
