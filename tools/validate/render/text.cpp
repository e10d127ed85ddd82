#include "tools/validate/render/text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/validate/render/edit_words.hpp"
#include "tools/validate/render/snippet.hpp"

namespace spillway::validate::render {
namespace {

constexpr std::size_t kFindingsBudget = 14'000;  // Bytes for findings in full; leaves room below 20 KB for the rest.
constexpr std::size_t kMaxClause = 600;          // Bytes of one message.
constexpr std::size_t kMaxListed = 8;

Ink ink_of(std::string_view verdict) {
  if (verdict == "error") return Ink::kRed;
  if (verdict == "warning") return Ink::kYellow;
  return verdict == "ok" ? Ink::kGreen : Ink::kBlue;
}

std::string_view word_of(Severity severity) { return severity == Severity::kInfo ? "note" : name(severity); }

Ink ink_of(Severity severity) { return severity == Severity::kInfo ? Ink::kBlue : ink_of(name(severity)); }

/// Spelling out what a terminal would obey makes a text longer, so it is cut before and after.
std::string clipped(std::string_view text) { return spillway::clipped(visible(spillway::clipped(text, kMaxClause)), 2 * kMaxClause); }

/// `label: text` below a finding, continued lines aligned.
std::string note(const Style& style, std::string_view label, std::string_view text) {
  const std::string indent(label.size() + 7, ' ');
  std::string body;
  for (const auto line : split(trim(text), '\n')) body += (body.empty() ? "" : "\n" + indent) + std::string(line);
  return "   " + paint(style, Ink::kBlue, "=") + " " + paint(style, Ink::kBold, std::string(label) + ":") + " " + body + "\n";
}

std::string fix_words(const Fix& fix, const Answer& answer) {
  std::string out = clipped(fix.summary);
  if (fix.safety == Fix::Safety::kUnsafe) out += " (changes speed, memory or numerics)";
  return fix.edits.empty() ? out : out + "\n" + clipped(join(edit_words(fix, answer), " "));
}

std::string where(const Finding& finding, const config::TrainConfig& config) {
  if (!finding.location) return "";
  return place(*finding.location, config);
}

std::string head(const Finding& finding, const config::TrainConfig& config, const Style& style) {
  std::string out = paint(style, ink_of(finding.severity), std::string(word_of(finding.severity)) + "[" + finding.code + "]");
  out += paint(style, Ink::kBold, ": " + clipped(finding.message)) + "\n";
  const std::string stage = "at stage " + std::string(name(finding.stage)) + (finding.first ? ", the first failure of a run" : "");
  const std::string at = where(finding, config);
  return out + "  " + paint(style, Ink::kBlue, "-->") + " " + (at.empty() ? stage : at + paint(style, Ink::kFaint, "  (" + stage + ")")) +
         "\n";
}

std::string full(const Finding& finding, const Answer& answer, const config::TrainConfig& config, const Style& style) {
  std::string out = head(finding, config, style);
  if (finding.location) out += snippet(*finding.location, config, style);
  if (finding.upstream) {
    const auto& upstream = *finding.upstream;
    out += note(style, "megatron", upstream.type + (upstream.message.empty() ? "" : ": " + clipped(upstream.message)));
  }
  bool first = true;
  for (const auto& fix : finding.fixes) {
    out += note(style, first ? "fix" : "or", fix_words(fix, answer));
    first = false;
  }
  return out;
}

/// Findings in full while they fit; the others by code.
std::string findings(const Answer& answer, const config::TrainConfig& config, const Style& style) {
  std::string out;
  std::vector<std::string> folded;
  for (const auto& finding : answer.findings) {
    if (folded.empty()) {
      std::string text = full(finding, answer, config, style);
      if (style.details || out.size() + text.size() <= kFindingsBudget) {
        out += "\n" + std::move(text);
        continue;
      }
    }
    folded.push_back(std::string(word_of(finding.severity)) + "[" + finding.code + "]");
  }
  if (folded.empty()) return out;
  const std::size_t count = folded.size();
  if (count > 60) folded.resize(60);
  return out + "\nand " + std::to_string(count) + " more: " + join(folded, ", ") + (count > 60 ? ", …" : "") + "\n";
}

std::string conclusion(const Answer& answer, const Style& style) {
  return conclusion_text(style, answer.verdict, answer.summary) + context_text(style, answer.context);
}

/// A titled list, folded to what fits a glance.
std::string section(const Style& style, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = "\n" + paint(style, Ink::kBold, title) + "\n";
  std::size_t shown = 0;
  for (const auto& line : lines) {
    if (shown == kMaxListed && !style.details) return out + "  … and " + std::to_string(lines.size() - shown) + " more\n";
    out += "  - " + clipped(line) + "\n";
    ++shown;
  }
  return out;
}

std::vector<std::string> missing_lines(const Answer& answer) {
  std::vector<std::string> lines;
  for (const auto& missing : answer.missing) lines.push_back(missing.what + (missing.command.empty() ? "" : " → " + missing.command));
  return lines;
}

std::string unchecked(const Answer& answer, const Style& style) {
  if (answer.unchecked.empty()) return "";
  std::vector<std::string> codes = answer.unchecked;
  const std::size_t count = codes.size();
  if (!style.details && count > kMaxListed) codes.resize(kMaxListed);
  return "\n" + paint(style, Ink::kBold, "not decided") + " " + std::to_string(count) + (count == 1 ? " rule: " : " rules: ") +
         join(codes, ", ") + (codes.size() < count ? ", …" : "") + "\n";
}

}  // namespace

std::string text(const Answer& answer, const config::TrainConfig& config, const std::vector<std::string>& understood, const Style& style) {
  return conclusion(answer, style) + findings(answer, config, style) + section(style, "missing", missing_lines(answer)) +
         unchecked(answer, style) + section(style, "assumed", answer.assumptions) + section(style, "understood", understood);
}

std::string finding_text(const Finding& finding, const Answer& answer, const config::TrainConfig& config, const Style& style) {
  return full(finding, answer, config, style);
}

std::string list_text(const Style& style, std::string_view title, const std::vector<std::string>& lines) {
  return section(style, title, lines);
}

std::string context_text(const Style& style, const std::vector<std::pair<std::string, std::string>>& context) {
  std::string out;
  for (const auto& [name, value] : context) out += (out.empty() ? "" : ", ") + name + " " + clipped(value);
  return out.empty() ? out : paint(style, Ink::kFaint, "judged for " + out) + "\n";
}

std::string conclusion_text(const Style& style, std::string_view verdict, std::string_view summary) {
  return paint(style, ink_of(verdict), verdict) + paint(style, Ink::kBold, ": " + clipped(summary)) + "\n";
}

}  // namespace spillway::validate::render
