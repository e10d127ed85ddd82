#include "tools/unified_diff.hpp"

#include <dtl/dtl.hpp>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "base/visible.hpp"

namespace spillway {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::string_view kNoNewline = "\\ No newline at end of file\n";

/// With their newlines; the last one may have none.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Line {
  char mark;  ///< blank, `-`, `+`
  std::string text;
};

std::vector<Line> script(std::vector<std::string> before, std::vector<std::string> after) {
  dtl::Diff<std::string> diff(before, after);
  diff.compose();
  std::vector<Line> lines;
  for (const auto& [text, info] : diff.getSes().getSequence())
    lines.push_back({info.type == dtl::SES_ADD ? '+' : info.type == dtl::SES_DELETE ? '-' : ' ', text});
  // Readers and patch expect what goes before what comes.
  for (auto begin = lines.begin(); begin != lines.end();) {
    begin = std::find_if(begin, lines.end(), [](const Line& line) { return line.mark != ' '; });
    const auto end = std::find_if(begin, lines.end(), [](const Line& line) { return line.mark == ' '; });
    std::stable_partition(begin, end, [](const Line& line) { return line.mark == '-'; });
    begin = end;
  }
  return lines;
}

std::string range(std::size_t first, std::size_t count) {
  const std::string start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

/// Lines [begin, end) of the script, which start at these line numbers (from 0) of the two texts.
std::string hunk(const std::vector<Line>& lines, std::size_t begin, std::size_t end, std::size_t old_line, std::size_t new_line) {
  std::size_t removed = 0, added = 0;
  std::string body;
  for (std::size_t i = begin; i < end; ++i) {
    removed += lines[i].mark != '+';
    added += lines[i].mark != '-';
    body += lines[i].mark + lines[i].text;
    if (!lines[i].text.ends_with('\n')) body += "\n" + std::string(kNoNewline);
  }
  return "@@ -" + range(old_line, removed) + " +" + range(new_line, added) + " @@\n" + body;
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<Line> lines = script(lines_of(before), lines_of(after));
  std::string out = "--- " + std::string(name) + "\n+++ " + std::string(name) + "\n";
  std::size_t old_line = 0, new_line = 0, at = 0;
  while (at < lines.size()) {
    std::size_t change = at;
    while (change < lines.size() && lines[change].mark == ' ') ++change;
    if (change == lines.size()) break;
    const std::size_t begin = change - std::min(change - at, kContext);
    old_line += begin - at;
    new_line += begin - at;
    // Changes closer than twice the context share a hunk.
    std::size_t end = change, quiet = 0;
    for (std::size_t i = change; i < lines.size() && quiet <= 2 * kContext; ++i) {
      quiet = lines[i].mark == ' ' ? quiet + 1 : 0;
      if (quiet == 0) end = i + 1;
    }
    end = std::min(end + kContext, lines.size());
    out += hunk(lines, begin, end, old_line, new_line);
    for (; begin < end && at < end; ++at) {
      if (at < begin) continue;
      old_line += lines[at].mark != '+';
      new_line += lines[at].mark != '-';
    }
  }
  return out;
}

std::string painted_diff(std::string_view diff, const Style& style) {
  std::string out;
  for (const auto& line : lines_of(diff)) {
    const std::string_view text = std::string_view(line).substr(0, line.size() - line.ends_with('\n'));
    const bool header = line.starts_with("---") || line.starts_with("+++");
    const Ink ink = header                   ? Ink::kBold
                    : line.starts_with("@@") ? Ink::kBlue
                    : line.starts_with('-')  ? Ink::kRed
                    : line.starts_with('+')  ? Ink::kGreen
                                             : Ink::kPlain;
    out += paint(style, ink, visible(text)) + "\n";
  }
  return out;
}

}  // namespace spillway
