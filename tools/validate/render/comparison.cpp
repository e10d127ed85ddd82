#include "tools/validate/render/comparison.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/validate/render/snippet.hpp"
#include "tools/validate/render/text.hpp"

namespace spillway::validate::render {
namespace {

constexpr std::size_t kFindingsBudget = 10'000;  // Bytes for findings in full; leaves room below 20 KB for the rest.
constexpr std::size_t kMostChanges = 30;
constexpr std::size_t kMaxClause = 120;  // Bytes of a place or of a message on one line.

std::string title(const Style& style, std::string_view text) { return "\n" + paint(style, Ink::kBold, text) + "\n"; }

/// Where the later value stands; where only the earlier one does, that.
std::string place_of(const ChangedValue& change, const Question& before, const Question& after) {
  std::string at;
  if (change.after_at)
    at = place(*change.after_at, after.config);
  else if (change.before_at)
    at = place(*change.before_at, before.config);
  return at.empty() ? "" : "  (" + clipped(visible_line(at), kMaxClause) + ")";
}

std::string changes(const Comparison& all, const Question& before, const Question& after, const Style& style) {
  if (all.changed.empty()) return "";
  std::string out = title(style, "changed");
  std::size_t count = 0;
  for (const auto& change : all.changed) {
    if (count++ == kMostChanges && !style.details)
      return out + "  … and " + std::to_string(all.changed.size() - kMostChanges) + " more (--detail full, or --format json)\n";
    out += "  - " + visible_line(change.key) + ": " + paint(style, Ink::kRed, shown(change.before)) + " → " +
           paint(style, Ink::kGreen, shown(change.after)) + paint(style, Ink::kFaint, place_of(change, before, after)) + "\n";
  }
  return out;
}

std::string line_of(const Finding& finding) {
  return std::string(name(finding.severity)) + "[" + finding.code + "] " + clipped(visible_line(finding.message), kMaxClause);
}

/// In full while they fit.
std::string appeared(const Comparison& all, const Question& after, const Style& style) {
  if (all.appeared.empty()) return "";
  std::string out = title(style, "appeared");
  std::vector<std::string> folded;
  for (const auto& finding : all.appeared) {
    std::string text = finding_text(finding, all.after, after.config, style);
    if (folded.empty() && (style.details || out.size() + text.size() <= kFindingsBudget))
      out += (&finding == &all.appeared.front() ? "" : "\n") + text;
    else
      folded.push_back(line_of(finding));
  }
  return out + list_text(style, "also appeared", folded);
}

std::vector<std::string> lines_of(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const auto& finding : findings) lines.push_back(line_of(finding));
  return lines;
}

std::vector<std::string> missing_lines(const std::vector<Missing>& missing) {
  std::vector<std::string> lines;
  for (const auto& each : missing) lines.push_back(each.what + (each.command.empty() ? "" : " → " + each.command));
  return lines;
}

}  // namespace

std::string comparison(const Comparison& all, const Question& before, const Question& after, const std::vector<std::string>& understood,
                       const Style& style) {
  return conclusion_text(style, all.verdict, all.summary) + context_text(style, all.after.context) + changes(all, before, after, style) +
         appeared(all, after, style) + list_text(style, "gone", lines_of(all.gone)) +
         list_text(style, "the same on both sides", lines_of(all.same)) + list_text(style, "missing", missing_lines(all.missing)) +
         list_text(style, "assumed", all.assumptions) + list_text(style, "understood", understood);
}

}  // namespace spillway::validate::render
