#include "tools/validate/render/rule_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/visible.hpp"

namespace spillway::validate::render {
namespace {

constexpr std::size_t kListBudget = 18'000;
constexpr std::size_t kPagesBudget = 18'000;
constexpr std::size_t kWidth = 100;

Ink ink_of(Severity severity) {
  return severity == Severity::kError ? Ink::kRed : severity == Severity::kWarning ? Ink::kYellow : Ink::kBlue;
}

/// The text broken at blanks, every line indented.
std::string wrapped(std::string_view text, std::string_view indent) {
  std::string out(indent);
  std::size_t column = indent.size();
  for (const auto word : split(text, ' ')) {
    if (word.empty()) continue;
    if (column > indent.size() && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent);
      column = indent.size();
    }
    if (column > indent.size()) out += ' ', ++column;
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string paragraph(const Style& style, std::string_view title, std::string_view text) {
  if (trim(text).empty()) return "";
  return "\n" + paint(style, Ink::kBold, title) + "\n" + wrapped(text, "  ");
}

std::string raises(const Rule& rule, const Style& style) {
  if (rule.raises.empty()) return "";
  std::string out = "\n" + paint(style, Ink::kBold, "Megatron prints") + "\n";
  std::vector<std::string> seen;
  for (const auto& raise : rule.raises) {
    std::string line = "  " + std::string(raise.type) + ": " + std::string(raise.text) + "\n";
    if (std::find(seen.begin(), seen.end(), line) == seen.end()) out += line;
    seen.push_back(std::move(line));
  }
  return out;
}

std::string page(const Rule& rule, const Style& style) {
  std::string out = paint(style, ink_of(rule.severity), rule.code) + paint(style, Ink::kBold, ": " + std::string(rule.summary)) + "\n";
  out += paint(style, Ink::kFaint,
               std::string(name(rule.severity)) + " at stage " + std::string(name(rule.stage)) + "; " + launchers_of(rule) + "; " +
                   versions_of(rule)) +
         "\n";
  out +=
      paragraph(style, "Condition", rule.what) + paragraph(style, "Why it matters", rule.why) + paragraph(style, "What to do", rule.remedy);
  out += raises(rule, style);
  if (!rule.evidence.file.empty())
    out += "\n" + paint(style, Ink::kBold, "Read from") + "\n  " + std::string(rule.evidence.file) + "\n  " +
           std::string(rule.evidence.text) + "\n";
  return out;
}

}  // namespace

std::string launchers_of(const Rule& rule) {
  std::string out;
  bool all = true;
  for (const auto launcher : {Launcher::kBridge, Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore}) {
    const bool has = rule.launchers.has(launcher);
    if (has) out += (out.empty() ? "" : ", ") + std::string(config::name(launcher));
    all = all && has;
  }
  return all ? "all launchers" : out;
}

std::string versions_of(const Rule& rule) {
  const bool from_start = rule.since == config::kOldestCore, to_end = rule.until == config::kNewestCore;
  const std::string since(config::profile(rule.since).name), until(config::profile(rule.until).name);
  if (from_start && to_end) return "all versions";
  if (to_end) return since + " and later";
  return from_start ? "up to " + until : since + " to " + until;
}

std::string rule_pages(const std::vector<Rule>& rules, const Style& style) {
  std::string out;
  std::vector<std::string> left;
  for (const auto& rule : rules) {
    std::string text = page(rule, style);
    if (!style.details && !out.empty() && out.size() + text.size() > kPagesBudget) {
      left.emplace_back(rule.code);
      continue;
    }
    out += (out.empty() ? "" : "\n") + std::move(text);
  }
  return left.empty() ? out : out + "\nask separately for: " + join(left, ", ") + "\n";
}

std::string rule_list(const std::vector<Rule>& rules, const Style& style) {
  std::size_t width = 0, codes = 0;
  for (const auto& rule : rules) width = std::max(width, rule.code.size());
  codes = rules.size() * (width + 5);
  const std::size_t room = rules.empty() ? 0 : codes < kListBudget ? (kListBudget - codes) / rules.size() : 10;
  std::string out = std::to_string(rules.size()) + " rules; spillway explain CODE shows one in full\n\n";
  for (const auto& rule : rules) {
    out += paint(style, ink_of(rule.severity), rule.code) + std::string(width - rule.code.size() + 2, ' ');
    out += clipped(rule.summary, style.details ? rule.summary.size() : room) + "\n";
  }
  return out;
}

}  // namespace spillway::validate::render
